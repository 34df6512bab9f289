//! termination: false
//! The call comes to the same call inside it.
int __VERIFIER_nondet_int(void);

static int search(int low, int high) {
    if (low >= high)
        return low;
    int middle = (low + high) / 2;
    return __VERIFIER_nondet_int() ? search(low, middle) : search(middle + 1, high);
}

int main(void) {
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
    if (low < -1000 || low > 1000 || high < -1000 || high > 1000)
        return 0;
    return search(low, high);
}
