//! termination: false
//! A loop over inputs that goes on as long as the inputs let it.
int __VERIFIER_nondet_int(void);

int main(void) {
    int state = 1;
    while (state != 0) {
        int input = __VERIFIER_nondet_int();
        if (state == 1 && input == 5)
            state = 2;
        else if (state == 2 && input == 3)
            state = 0;
    }
    return 0;
}
