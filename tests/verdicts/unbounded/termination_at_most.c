//! termination: true
//! The same loop where n is not the largest number.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 4294967295u)
        return 0;
    for (unsigned i = 0; i <= n; i++)
        ;
    return 0;
}
