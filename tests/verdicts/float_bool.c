//! unreach-call: true
// To bool: everything but the zeros is true, NaN too. From bool: 1.0 and 0.0.
#include <stdbool.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  double x = __VERIFIER_nondet_double();
  bool nonzero = x;
  if (nonzero != (x != 0.0)) reach_error();
  if (x != x && !nonzero) reach_error();
  bool small = 0.25, negative_zero = -0.0;
  if (!small || negative_zero) reach_error();
  bool some = __VERIFIER_nondet_int();
  double back = some;
  float narrow = some;
  if (back != 0.0 && back != 1.0) reach_error();
  if ((back == 1.0) != some || narrow != (float)back) reach_error();
  return 0;
}
