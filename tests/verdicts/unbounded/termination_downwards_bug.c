//! termination: false
// No unsigned number is less than zero: below it comes the largest.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i;
    for (i = n; i >= 0; i--)
        ;
    return 0;
}
