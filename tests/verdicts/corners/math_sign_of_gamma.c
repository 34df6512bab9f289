//! unreach-call: true
// lgamma tells the sign of the gamma function.
#define _GNU_SOURCE
#include <math.h>
extern void reach_error(void);
static void expect(double x, int sign) {
    lgamma(x);
    if (signgam != sign)
        reach_error();
}
int main(void) {
    expect(0.5, 1);
    expect(-0.5, -1);
    expect(-1.5, 1);
    expect(-0.0, -1);
    expect(-3, 1);
    return 0;
}
