//! unreach-call: true
// fabs, floor, ceil, trunc, fmin, fmax, sqrt and copysign on concrete and symbolic values.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
  if (floor(-1.5) != -2.0 || ceil(-1.5) != -1.0 || trunc(-1.5) != -1.0) reach_error();
  if (sqrt(9.0) != 3.0 || copysign(2.0, -0.0) != -2.0) reach_error();
  if (round(2.5) != 3.0 || rint(2.5) != 2.0) reach_error();
  double x = __VERIFIER_nondet_double();
  if (fabs(x) < 0) reach_error();
  if (x == x && (floor(x) > x || ceil(x) < x)) reach_error();
  if (fmax(x, NAN) != x && x == x) reach_error();
  return 0;
}
