//! unreach-call: true
// double to float rounds, overflows to infinity, underflows to zero; float to double is exact.
#include <math.h>
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
  float f = __VERIFIER_nondet_float();
  double d = f;
  if (!isnan(f) && (float)d != f) reach_error();
  if ((float)1e-60 != 0.0f) reach_error();
  double large = 1e300;
  if (!isinf((float)large)) reach_error();
  double above = 1.0 + 1e-12;
  if ((float)above != 1.0f || above == 1.0) reach_error();
  return 0;
}
