//! unreach-call: true
// A state of which a solver does not say at once whether it is possible, and that is not: no violation of an interpolant.
#include <math.h>
#include <string.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
  double a = __VERIFIER_nondet_double();
  if (a != -0.0 && a != -1.0 && a != 1.5) return 0;
  double b = __VERIFIER_nondet_double();
  if (b != 255.0) return 0;
  long double wide = a;
  double f = fabs(wide);
  unsigned long long u;
  memcpy(&u, &f, sizeof u);
  if (u == 1) reach_error();
  return 0;
}
