//! termination: false
//! From an odd number, steps of two pass zero by.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    while (x != 0)
        x -= 2;
    return 0;
}
