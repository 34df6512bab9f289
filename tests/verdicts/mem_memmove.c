//! unreach-call: true
//! valid-memsafety: true
// memmove between overlapping ranges, in both directions.
#include <string.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  int a[5] = { x, 1, 2, 3, 4 };
  memmove(a + 1, a, 4 * sizeof a[0]);
  if (a[0] != x || a[1] != x || a[2] != 1 || a[4] != 3) reach_error();
  memmove(a, a + 1, 4 * sizeof a[0]);
  if (a[0] != x || a[1] != 1 || a[3] != 3 || a[4] != 3) reach_error();
  return 0;
}
