//! unreach-call: false
// What exp gives depends on the rounding mode, too.
#include <fenv.h>
#include <math.h>
extern void reach_error(void);
int main(void) {
    volatile double one = 1;
    double nearest = exp(one);
    fesetround(FE_UPWARD);
    if (exp(one) != nearest)
        reach_error();
    return 0;
}
