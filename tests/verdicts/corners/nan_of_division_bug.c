//! unreach-call: false
// The sign of the NaN that 0 / 0 makes is open; x86 sets it.
#include <math.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    double zero = __VERIFIER_nondet_int() ? 1.0 : 0.0;
    double x = zero / zero;
    if (signbit(x)) {
        reach_error();
    }
    return 0;
}
// Witness for unreach-call: 0
