//! unreach-call: true
// Infinities come from overflow and absorb what is added; infinity minus infinity is NaN.
#include <math.h>
#include <float.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
  double big = DBL_MAX;
  double inf = big * 2;
  if (!isinf(inf) || inf != INFINITY) reach_error();
  double x = __VERIFIER_nondet_double();
  if (isfinite(x) && x + inf != inf) reach_error();
  if (isfinite(x) && x >= inf) reach_error();
  double nan = inf - inf;
  if (nan == nan || !isnan(nan)) reach_error();
  double zero = 0.0;
  if (1 / inf != 0 || 1 / zero != inf || 1 / -zero != -inf) reach_error();
  return 0;
}
