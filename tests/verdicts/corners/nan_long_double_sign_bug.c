//! unreach-call: false
// A long double NaN has a sign, too.
#include <math.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    long double x = __VERIFIER_nondet_int() ? __builtin_nanl("") : 1.0L;
    long double y = copysignl(x, -1.0L);
    if (y != y && signbit(y) && !signbit(-y)) {
        reach_error();
    }
    return 0;
}
// Witness for unreach-call: 1
