//! unreach-call: false
// A program that takes errno to stay zero.
#include <errno.h>
#include <math.h>
extern void reach_error(void);
int main(void) {
    volatile double x = 2.0;
    errno = 0;
    volatile double r = acos(x);
    if (errno)
        reach_error();
    return 0;
}
