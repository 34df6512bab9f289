//! unreach-call: false
// 64 bits, where the data model has them.
extern void reach_error(void);
int main(void) {
    long long x = __VERIFIER_nondet_longlong();
    if (x == 1099511627776ll)
        reach_error();
    return 0;
}
