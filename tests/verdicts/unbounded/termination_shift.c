//! termination: true
//! Bits run out.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), count = 0;
    while (x) {
        count += x & 1;
        x >>= 1;
    }
    return 0;
}
