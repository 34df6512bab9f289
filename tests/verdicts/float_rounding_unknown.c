//! unreach-call: true
// In any mode that the program may be in, a sum lies between the sums rounded down and up.
#include <fenv.h>
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  float a = __VERIFIER_nondet_float();
  if (!(a >= 1.0f && a <= 2.0f)) return 0;
  int choice = __VERIFIER_nondet_int();
  fesetround(choice == 0 ? FE_DOWNWARD : choice == 1 ? FE_UPWARD : choice == 2 ? FE_TOWARDZERO : FE_TONEAREST);
  float sum = a + 0.1f;
  fesetround(FE_DOWNWARD);
  float low = a + 0.1f;
  fesetround(FE_UPWARD);
  float high = a + 0.1f;
  if (sum < low || sum > high) reach_error();
  return 0;
}
