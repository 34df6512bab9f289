//! termination: true
//! Division rounds towards zero.
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    while (n > 1)
        n /= 2;
    return 0;
}
