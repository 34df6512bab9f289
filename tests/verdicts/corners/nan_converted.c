//! unreach-call: true
// A conversion keeps the sign of NaN.
#include <math.h>
extern void reach_error(void);
int main(void) {
    double x = copysign(NAN, -1.0);
    float narrow = (float)x;
    long double wide = x;
    if (!signbit(narrow) || !signbit(wide) || signbit(-narrow))
        reach_error();
    return 0;
}
