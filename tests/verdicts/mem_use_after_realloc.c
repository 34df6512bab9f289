//! valid-memsafety: false(valid-deref)
// A pointer into the old block is used after realloc has moved or freed it.
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  if (!p) return 0;
  *p = 1;
  int *alias = p;
  int *q = realloc(p, 1000 * sizeof *q);
  if (!q) { free(p); return 0; }
  int x = *alias;
  free(q);
  return x;
}
