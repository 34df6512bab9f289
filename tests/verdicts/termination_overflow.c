//! termination: true
//! It counts down from at most 50; coming back to the same number by overflowing would be no way to go on.
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 50)
        return 0;
    for (int i = x; i > 0; i--)
        ;
    return 0;
}
