//! termination: true
// Known for all numbers of this size by trying, and a conjecture beyond: nobody knows a ranking function.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned long long x = __VERIFIER_nondet_uint() & 65535;
    while (x > 1)
        x = x % 2 ? 3 * x + 1 : x / 2;
    return 0;
}
