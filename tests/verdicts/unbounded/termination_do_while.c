//! termination: true
//! The test comes after the step, and the counter passes zero once.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    do {
    } while (i-- > 0);
    return 0;
}
