//! termination: true
//! A machine that never goes back to an earlier state for good.
int __VERIFIER_nondet_int(void);

int main(void) {
    int state = 0, budget = __VERIFIER_nondet_int() & 255;
    while (state != 3) {
        switch (state) {
        case 0:
            state = 1;
            break;
        case 1:
            if (budget > 0) {
                budget--;
                state = 0;
            } else {
                state = 2;
            }
            break;
        default:
            state = 3;
        }
    }
    return 0;
}
