//! termination: true
//! The argument decreases.
unsigned __VERIFIER_nondet_uint(void);

static unsigned fact(unsigned n) {
    return n == 0 ? 1 : n * fact(n - 1);
}

int main(void) {
    return fact(__VERIFIER_nondet_uint()) > 0;
}
