//! unreach-call: true
//! valid-memsafety: true
// Sorting three arbitrary numbers, and finding one of them.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

int main(void) {
  int a[3];
  for (int i = 0; i < 3; i++)
    a[i] = __VERIFIER_nondet_int();
  int wanted = a[1];
  qsort(a, 3, sizeof *a, compare);
  if (a[0] > a[1] || a[1] > a[2])
    reach_error();
  int *found = bsearch(&wanted, a, 3, sizeof *a, compare);
  if (found == 0 || *found != wanted)
    reach_error();
  return 0;
}
