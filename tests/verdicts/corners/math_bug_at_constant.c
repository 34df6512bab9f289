//! unreach-call: false
// What a function really gives at a known argument may be wrong for the program.
#include <math.h>
extern void reach_error(void);
int main(void) {
    volatile double x = 4.0;
    double d = atan2(x, 4.0);
    if (d > 0.78 && d < 0.79)
        reach_error();
    return 0;
}
