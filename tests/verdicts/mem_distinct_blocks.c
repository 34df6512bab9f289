//! unreach-call: true
//! valid-memsafety: true
// Blocks that are alive at the same time do not overlap.
#include <stdlib.h>
#include <stdint.h>
extern void reach_error(void);

int main(void) {
  char *p = malloc(8), *q = malloc(8);
  char local[8];
  if (!p || !q) { free(p); free(q); return 0; }
  p[7] = 1;
  q[0] = 2;
  local[0] = 3;
  if (p[7] != 1 || q[0] != 2 || local[0] != 3) reach_error();
  if (p == q || p == local || q == local) reach_error();
  uintptr_t a = (uintptr_t)p, b = (uintptr_t)q;
  if (a < b ? b - a < 8 : a - b < 8) reach_error();
  free(p);
  free(q);
  return 0;
}
