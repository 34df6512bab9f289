//! termination: false
//! A step of zero is no step.
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), step = __VERIFIER_nondet_int();
    if (step < 0)
        return 0;
    while (x > 0)
        x -= step;
    return 0;
}
