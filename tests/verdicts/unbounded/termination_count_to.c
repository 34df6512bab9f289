//! termination: true
//! The plainest loop there is.
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), i;
    for (i = 0; i < n; i++)
        ;
    return 0;
}
