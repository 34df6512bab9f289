//! termination: true
//! It comes to n exactly, since it goes one by one.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i != n; i++)
        ;
    return 0;
}
