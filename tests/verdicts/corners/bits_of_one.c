//! unreach-call: true
// Arithmetic of numbers of one bit.
extern void reach_error(void);
int table[2];
int main(void) {
    unsigned _BitInt(1) b = 1;
    b = b / b;
    if (b != 1 || table[b] != 0)
        reach_error();
    b++;
    if (b != 0)
        reach_error();
    return 0;
}
