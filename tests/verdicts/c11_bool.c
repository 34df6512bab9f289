//! unreach-call: true
//! no-overflow: true
// Conversion to _Bool compares with zero; a _Bool holds 0 or 1 whatever is assigned.
#include <stdbool.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  bool b = x;
  unsigned char c = (unsigned char)x;
  if (b != 0 && b != 1) reach_error();
  if (b != (x != 0)) reach_error();
  if ((bool)256 != 1 || (unsigned char)256 != 0) reach_error();
  if ((bool)0.5 != 1) reach_error();
  if (!b && c) reach_error();
  b += 1;
  if (b != 1) reach_error();
  b--;
  if (b != 0) reach_error();
  return 0;
}
