//! no-overflow: false
// Witness for no-overflow: -2147483648
// The sanitizer only tells that a negative value is shifted.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x >= 0)
        return 0;
    return (x << 1) > 3;
}
