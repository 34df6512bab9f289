//! no-overflow: true
// Named but not evaluated, or behind a condition that does not hold.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int z = __VERIFIER_nondet_int();
    int x = sizeof(__builtin_popcount(2147483647 + 1));
    if (z)
        return 0;
    return x - 4 + (z ? __builtin_popcount(2147483647 + 1) : 0);
}
