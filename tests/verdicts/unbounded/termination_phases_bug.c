//! termination: false
//! The step stays at zero.
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int() & 1023, y = __VERIFIER_nondet_int() & 1023;
    while (x > 0) {
        if (y > 0)
            y--;
        x = x + y > 1 ? x : 1;
    }
    return 0;
}
