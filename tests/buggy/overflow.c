//! property: no-overflow
//! says: low = 1073741824
//! says: high = 2147483647

extern int __VERIFIER_nondet_int(void);

static int middle(int low, int high) {
    return (low + high) / 2;
}

int main(void) {
    int wanted = __VERIFIER_nondet_int();
    if (wanted < 0)
        return 1;
    int low = 0, high = 2147483647;
    for (int round = 0; round < 2 && low < high; round++) {
        int at = middle(low, high);
        if (wanted > at)
            low = at + 1;
        else
            high = at;
    }
    return low == wanted;
}
