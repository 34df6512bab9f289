//! unreach-call: true
// The values of a function at the few points that it is asked about.
#include <math.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n >= 0 && n <= 3 && pow(2, n) != (1 << n))
        reach_error();
    return 0;
}
