//! unreach-call: false
// Sums that are rounded up and down differ when they are inexact.
// Witness for unreach-call: 0.3
#include <fenv.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
  double a = __VERIFIER_nondet_double();
  if (!(a > 0.0 && a < 1.0)) return 0;
  fesetround(FE_UPWARD);
  double up = a + 1.0;
  fesetround(FE_DOWNWARD);
  double down = a + 1.0;
  if (up != down) reach_error();
  return 0;
}
