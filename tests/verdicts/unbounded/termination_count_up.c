//! termination: true
//! A number that grows to a constant, from anywhere.
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    while (n < 10)
        n++;
    return 0;
}
