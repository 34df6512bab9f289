//! unreach-call: true
// Constants have the sign and payload that they were written with, in code and in initialisers.
#include <math.h>
#include <string.h>
extern void reach_error(void);

static float table[2] = {1.0f, -__builtin_nanf("0x123")};
static const double number = __builtin_nan("0x456");

int main(void)
{
    unsigned u;
    unsigned long v;
    float x = -NAN;
    memcpy(&u, &x, sizeof u);
    if (u != 0xffc00000u) {
        reach_error();
    }
    memcpy(&u, &table[1], sizeof u);
    memcpy(&v, &number, sizeof v);
    if (u != 0xffc00123u || v != 0x7ff8000000000456UL) {
        reach_error();
    }
    return 0;
}
