//! unreach-call: true
// An exact quotient raises none.
#include <fenv.h>
extern void reach_error(void);
int main(void) {
    volatile double two = 2;
    feclearexcept(FE_ALL_EXCEPT);
    volatile double quotient = 1 / two;
    if (fetestexcept(FE_DIVBYZERO))
        reach_error();
    return 0;
}
