//! unreach-call: false
// It is told even if nothing was before.
#define _GNU_SOURCE
#include <math.h>
extern void reach_error(void);
int main(void) {
    volatile double x = 0.5;
    lgamma(x);
    if (signgam == 1)
        reach_error();
    return 0;
}
