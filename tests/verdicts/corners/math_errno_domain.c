//! unreach-call: true
// errno is EDOM where a function has no value, ERANGE at a pole, and untouched otherwise.
#include <errno.h>
#include <math.h>
extern void reach_error(void);
int main(void) {
    volatile double minus = -1.0, zero = 0.0, big = 1000.0, four = 4.0;
    volatile double r;
    errno = 0;
    r = sqrt(minus);
    if (errno != EDOM)
        reach_error();
    errno = 0;
    r = log(zero);
    if (errno != ERANGE)
        reach_error();
    errno = 0;
    r = exp(big);
    if (errno != ERANGE)
        reach_error();
    errno = 0;
    r = pow(zero, minus);
    if (errno != ERANGE)
        reach_error();
    errno = 0;
    r = sqrt(four);
    if (errno != 0)
        reach_error();
    r = fmod(four, zero);
    if (errno != EDOM)
        reach_error();
    return 0;
}
