//! termination: false
// The distance stays, wherever both numbers are.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    while (x != y) {
        x += 3;
        y += 3;
    }
    return 0;
}
