//! unreach-call: true
//! no-overflow: true
// The sum of two ints after the usual check always fits.
#include <limits.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (y > 0 && x > INT_MAX - y) return 0;
  if (y < 0 && x < INT_MIN - y) return 0;
  int z = x + y;
  if (y > 0 && z <= x) reach_error();
  return 0;
}
