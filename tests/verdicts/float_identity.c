//! unreach-call: true
// == is not identity: the zeros are equal and have other bits; a NaN differs from itself and keeps its bits.
#include <string.h>
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
  float plus = 0.0f, minus = -0.0f;
  if (plus != minus || memcmp(&plus, &minus, sizeof plus) == 0) reach_error();
  if (1.0f / plus == 1.0f / minus) reach_error();
  float x = __VERIFIER_nondet_float(), copy;
  memcpy(&copy, &x, sizeof x);
  if (x == x && x != copy) reach_error();
  if (x != x && copy == copy) reach_error();
  return 0;
}
