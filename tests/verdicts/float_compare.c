//! unreach-call: true
// NaN is unequal to everything and unordered; zeros are equal whatever their sign.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
  double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
  if (isnan(x)) {
    if (x == x || x < y || x >= y || !(x != y)) reach_error();
  } else if (!isnan(y)) {
    if ((x < y) + (x == y) + (x > y) != 1) reach_error();
  }
  if (0.0 != -0.0 || !signbit(-0.0) || signbit(0.0)) reach_error();
  if (x == 0 && x < 0) reach_error();
  return 0;
}
