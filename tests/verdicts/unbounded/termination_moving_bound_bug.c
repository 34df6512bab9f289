//! termination: false
//! The bound keeps its distance.
int __VERIFIER_nondet_int(void);

int main(void) {
    int i = 0, n = __VERIFIER_nondet_int() & 1023;
    while (i <= n) {
        i = (i + 1) % 1000;
        n = i;
    }
    return 0;
}
