//! unreach-call: true
// What is exact, or known to nearest, stays so.
#include <fenv.h>
#include <math.h>
extern void reach_error(void);
int main(void) {
    volatile double one = 1;
    fesetround(FE_UPWARD);
    if (log(one) != 0 || cos(0 * one) != 1)
        reach_error();
    fesetround(FE_TONEAREST);
    if (exp2(3 * one) != 8 || pow(2 * one, 10) != 1024)
        reach_error();
    return 0;
}
