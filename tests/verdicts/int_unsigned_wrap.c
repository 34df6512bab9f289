//! unreach-call: true
//! no-overflow: true
// Unsigned arithmetic wraps around; that is not an overflow.
#include <limits.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
  if (x + y - y != x) reach_error();
  if ((x + y < x) != (y > UINT_MAX - x)) reach_error();
  if (-x + x != 0) reach_error();
  unsigned z = 0;
  z--;
  if (z != UINT_MAX) reach_error();
  unsigned char c = 255;
  c++;
  if (c != 0) reach_error();
  return 0;
}
