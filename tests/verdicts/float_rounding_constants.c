//! unreach-call: true
// The mode that is in force rounds constants too, without any pragma; fegetround gives it back.
#include <fenv.h>
#include <float.h>
extern void reach_error(void);

static double third(void) { return 1.0 / 3.0; }

int main(void) {
  if (fegetround() != FE_TONEAREST || FLT_ROUNDS != 1) reach_error();
  double nearest = third();
  if (fesetround(FE_UPWARD) != 0 || fegetround() != FE_UPWARD) reach_error();
  double up = third();
  if (FLT_ROUNDS != 2) reach_error();
  if (fesetround(12345) == 0 || fegetround() != FE_UPWARD) reach_error();
  fesetround(FE_TOWARDZERO);
  double cut = third();
  float narrow = 0.1;
  if (!(cut < up) || nearest != cut || (double)narrow > 0.1) reach_error();
  return 0;
}
