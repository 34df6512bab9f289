//! termination: true
//! The first argument decreases, or stays and the second one decreases.
int __VERIFIER_nondet_int(void);

static int ackermann(int m, int n) {
    if (m <= 0)
        return n;
    if (n <= 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
    int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
    if (m >= 0 && n >= 0)
        ackermann(m, n);
    return 0;
}
