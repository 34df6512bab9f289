//! termination: true
//! The middle is never the upper end.
int __VERIFIER_nondet_int(void);

int main(void) {
    int low = 0, high = __VERIFIER_nondet_int(), key = __VERIFIER_nondet_int();
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (middle < key)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}
