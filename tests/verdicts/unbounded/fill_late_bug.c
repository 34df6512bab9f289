//! unreach-call: false
// An array is filled as a whole in a late iteration.
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int a[4];

int main(void) {
  int n = 0;
  while (__VERIFIER_nondet_int()) {
    n++;
    if (n == 22) memset(a, 1, sizeof a);
  }
  if (a[3]) reach_error();
  return 0;
}
