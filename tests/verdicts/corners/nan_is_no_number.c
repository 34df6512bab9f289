//! unreach-call: true
// Whatever its bits, a NaN equals nothing, and what arithmetic makes of it is NaN again.
#include <math.h>
#include <string.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned u = __VERIFIER_nondet_uint() & 0x807fffffu;
    if ((u & 0x7fffffu) == 0) {
        return 0;
    }
    u |= 0x7f800000u;
    float x;
    memcpy(&x, &u, sizeof u);
    float y = x + 1.0f, copy = y;
    if (x == x || !isnan(y) || fpclassify(-x) != FP_NAN || memcmp(&copy, &y, sizeof y) != 0) {
        reach_error();
    }
    return 0;
}
