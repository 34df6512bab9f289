//! unreach-call: true
// A state of which a solver does not say at once whether it is possible, and that is not: no violation of an interpolant.
#include <string.h>
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
double a0 = __VERIFIER_nondet_double();
if (a0 != -0.0 && a0 != -1.0 && a0 != 1.5) return 0; double b0 = __VERIFIER_nondet_double(); if (b0 != 255.0) return 0;
long double a = a0;
double f = fabs(a); unsigned long long u; memcpy(&u, &f, sizeof u);
if (u == 1ULL) reach_error();
return 0;
}
