//! termination: false
// Every number is at most the largest one: if n is that, i comes to zero again.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i <= n; i++)
        ;
    return 0;
}
