//! unreach-call: true
//! valid-memsafety: true
// The bits of a double: sign, exponent and fraction.
#include <stdint.h>
#include <string.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
  double x = __VERIFIER_nondet_double();
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  int exponent = (int)(bits >> 52 & 0x7ff);
  uint64_t fraction = bits & 0xfffffffffffffull;
  if (x != x && !(exponent == 0x7ff && fraction)) reach_error();
  if (x == 1.0 && exponent != 1023) reach_error();
  if (x < 0 && !(bits >> 63)) reach_error();
  double y;
  memcpy(&y, &bits, sizeof y);
  if (x == x && x != y) reach_error();
  return 0;
}
