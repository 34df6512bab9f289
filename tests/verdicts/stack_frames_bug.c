//! stack-overflow: false
// Ten calls with a megabyte each.
static int sum(int n) {
    volatile char block[1000000];
    block[n] = (char)n;
    return n ? block[n] + sum(n - 1) : 0;
}
int main(void) { return sum(9) & 0; }
