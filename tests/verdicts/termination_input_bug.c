//! termination: false
//! With a step of zero the loop never gets there.
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), step = __VERIFIER_nondet_int();
    while (x >= 0)
        x = x - step;
    return 0;
}
