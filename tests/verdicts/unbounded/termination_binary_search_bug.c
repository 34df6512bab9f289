//! termination: false
//! With two elements left, the middle is the lower end, and nothing changes.
int __VERIFIER_nondet_int(void);

int main(void) {
    int low = 0, high = 100, key = __VERIFIER_nondet_int();
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (middle <= key)
            low = middle;
        else
            high = middle;
    }
    return 0;
}
