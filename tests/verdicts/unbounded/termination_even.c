//! termination: true
//! An even number comes to zero in steps of two.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    x *= 2;
    while (x != 0)
        x -= 2;
    return 0;
}
