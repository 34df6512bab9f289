//! termination: true
//! Each round takes one bit away.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), count = 0;
    while (x) {
        x &= x - 1;
        count++;
    }
    return 0;
}
