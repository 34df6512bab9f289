//! termination: true
//! The inner loop changes the outer counter, but never by more than it gained.
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0, j;
    while (i < n) {
        j = __VERIFIER_nondet_int();
        while (j > 0 && i < n) {
            j--;
            i++;
        }
        if (i < n)
            i++;
    }
    return 0;
}
