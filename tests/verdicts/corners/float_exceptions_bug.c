//! unreach-call: false
// A division by zero raises an exception.
#include <fenv.h>
extern void reach_error(void);
int main(void) {
    volatile double zero = 0;
    feclearexcept(FE_ALL_EXCEPT);
    volatile double quotient = 1 / zero;
    if (fetestexcept(FE_DIVBYZERO))
        reach_error();
    return 0;
}
