//! termination: true
//! Either end of the range moves towards the other.
int __VERIFIER_nondet_int(void);

int main(void) {
    int i = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
    while (i < n) {
        if (__VERIFIER_nondet_int())
            n--;
        else
            i++;
    }
    return 0;
}
