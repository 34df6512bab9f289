//! no-overflow: true
// The overflow is in code that no input reaches.
#include <limits.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  int big = INT_MAX;
  if (x > 10 && x < 5) big++;
  if ((x & 1) && x % 2 == 0) big += x;
  return big == 0;
}
