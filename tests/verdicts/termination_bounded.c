//! termination: true
//! Loops and recursion whose bounds come from small inputs, and an assumption that cuts a run short.
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

static int sum(int n) {
    return n <= 0 ? 0 : n + sum(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 6)
        return 0;
    int total = 0;
    for (int i = 0; i < n; i++)
        total += sum(i);
    while (total > 100)
        __VERIFIER_assume(0);
    return 0;
}
