//! unreach-call: true
// fabs clears the sign of a NaN and keeps the rest, negation flips it, and two of them give the same bits.
#include <math.h>
#include <string.h>
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

static unsigned long bits(double x)
{
    unsigned long u;
    memcpy(&u, &x, sizeof u);
    return u;
}

int main(void)
{
    unsigned long u = __VERIFIER_nondet_ulong();
    double x;
    memcpy(&x, &u, sizeof u);
    if (bits(fabs(x)) != (u & ~(1UL << 63)) || bits(-x) != (u ^ 1UL << 63) || bits(-(-x)) != u) {
        reach_error();
    }
    return 0;
}
