//! unreach-call: true
// The absolute value of a constant is computed.
#include <complex.h>
extern void reach_error(void);
int main(void) {
    double complex z = 3 + 4 * I;
    if (cabs(z) != 5 || carg(1.0) != 0)
        reach_error();
    return 0;
}
