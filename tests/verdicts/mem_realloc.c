//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// realloc keeps the contents up to the smaller size, and of a null pointer it is malloc.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  int *p = realloc(NULL, 2 * sizeof *p);
  if (!p) return 0;
  p[0] = x;
  p[1] = 2;
  int *q = realloc(p, 5 * sizeof *q);
  if (!q) { free(p); return 0; }
  q[4] = 9;
  if (q[0] != x || q[1] != 2) reach_error();
  int *r = realloc(q, sizeof *r);
  if (!r) { free(q); return 0; }
  if (r[0] != x) reach_error();
  free(r);
  return 0;
}
