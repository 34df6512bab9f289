//! termination: false
//! A half of one, rounded up, is one.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint() & 65535;
    while (n > 0)
        n = (n + 1) / 2;
    return 0;
}
