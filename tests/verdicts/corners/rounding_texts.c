//! unreach-call: true
// Texts become numbers, and numbers texts, in the rounding mode in force.
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
static void expect(const char *format, double x, const char *wanted) {
    char text[16];
    snprintf(text, sizeof text, format, x);
    if (strcmp(text, wanted) != 0)
        reach_error();
}
int main(void) {
    fesetround(FE_UPWARD);
    expect("%.1f", 0.25, "0.3");
    expect("%.1f", -0.25, "-0.2");
    expect("%.0f", 0.0009765625, "1");
    expect("%.1f", 0.0009765625, "0.1");
    double above = strtod("0.1000000000000000000000001", 0), negative = strtod("-0.1", 0);
    fesetround(FE_TOWARDZERO);
    expect("%.1e", 1.9375, "1.9e+00");
    expect("%.0a", 1.9375, "0x1p+0");
    fesetround(FE_DOWNWARD);
    double below = strtod("0.1000000000000000000000001", 0);
    if (!(below < above) || strtod("-0.1", 0) >= negative)
        reach_error();
    if (strtod("1e999", 0) != 0x1.fffffffffffffp1023)
        reach_error();
    return 0;
}
