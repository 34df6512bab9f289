//! valid-memsafety: false(valid-deref)
// After realloc made the block smaller its old end is outside.
#include <stdlib.h>

int main(void) {
  int *p = malloc(8 * sizeof *p);
  if (!p) return 0;
  p[7] = 1;
  int *q = realloc(p, 4 * sizeof *q);
  if (!q) { free(p); return 0; }
  q[7] = 2;
  free(q);
  return 0;
}
