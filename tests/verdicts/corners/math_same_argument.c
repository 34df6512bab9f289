//! unreach-call: true
// The same argument gives the same result, known or not.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x > 0.0 && x < 100.0))
        return 0;
    double a = log(x), b = log(x);
    if (a != b)
        reach_error();
    return 0;
}
