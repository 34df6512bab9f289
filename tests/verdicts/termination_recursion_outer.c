//! termination: true
//! Two calls with the same argument, the second inside the first's caller but not inside the first.
static int count(int n, int times) {
    if (times == 0)
        return n;
    int inner = count(n, 0);
    return count(inner, times - 1);
}

int main(void) {
    return count(3, 4);
}
