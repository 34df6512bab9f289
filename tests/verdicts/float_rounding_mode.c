//! unreach-call: true
// The rounding mode changes while the program runs, and changes back.
#include <fenv.h>
#pragma STDC FENV_ACCESS ON
extern void reach_error(void);

int main(void) {
  volatile double one = 1.0, three = 3.0;
  double nearest = one / three;
  fesetround(FE_UPWARD);
  double up = one / three;
  fesetround(FE_DOWNWARD);
  double down = one / three;
  fesetround(FE_TONEAREST);
  if (!(down < up) || down > nearest || nearest > up) reach_error();
  if (one / three != nearest) reach_error();
  return 0;
}
