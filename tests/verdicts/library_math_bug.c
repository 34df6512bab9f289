//! unreach-call: false
// The sine of an arbitrary number may be large.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
  double x = __VERIFIER_nondet_double();
  if (x > 1 && x < 2 && sin(x) > 0.5)
    reach_error();
  return 0;
}
