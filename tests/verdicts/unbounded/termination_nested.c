//! termination: true
//! A loop in a loop, whose bound is the counter of the outer one.
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            ;
    return 0;
}
