//! unreach-call: true
// A sum of 64 bits grows with a counter of 32 bits.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    long long sum = 0;
    for (int i = 0; i < n; i++)
        sum += 3;
    if (sum != 3LL * n)
        reach_error();
    return 0;
}
