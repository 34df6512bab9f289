//! unreach-call: true
// A copy that is longer than what is spelled out byte by byte.
#include <string.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
struct s { int a[200]; int k; };
int main(void) {
  struct s x, y;
  unsigned at = __VERIFIER_nondet_uint();
  if (at >= 200) return 0;
  x.a[at] = 3; x.k = 7;
  y = x;
  if (y.a[at] != 3 || y.k != 7) reach_error();
  return 0;
}
