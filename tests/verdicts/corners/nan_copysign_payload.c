//! unreach-call: true
// copysign takes the sign from a NaN as well, and gives it to one without touching its payload.
#include <math.h>
#include <string.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned u = __VERIFIER_nondet_uint(), v, w;
    float x, y;
    memcpy(&x, &u, sizeof u);
    y = copysignf(2.0f, x);
    memcpy(&v, &y, sizeof v);
    y = copysignf(x, -1.0f);
    memcpy(&w, &y, sizeof w);
    if (v != (0x40000000u | (u & 0x80000000u)) || w != (u | 0x80000000u)) {
        reach_error();
    }
    return 0;
}
