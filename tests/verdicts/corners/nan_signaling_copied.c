//! unreach-call: true
// A signaling NaN stays one through variables, parameters, results and arrays: no arithmetic looks at it.
#include <string.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static double same(double x)
{
    return x;
}

int main(void)
{
    unsigned long u = 0x7ff0000000000001UL, v;
    double x, array[3] = {1.0, 2.0, 3.0};
    memcpy(&x, &u, sizeof u);
    double y = __VERIFIER_nondet_int() ? x : same(x);
    array[1] = same(y);
    memcpy(&v, &array[1], sizeof v);
    if (u != v || array[1] == array[1]) {
        reach_error();
    }
    return 0;
}
