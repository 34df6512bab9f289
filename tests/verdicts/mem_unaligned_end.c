//! valid-memsafety: false(valid-deref)
// An int read at the last two bytes of a block crosses its end.
#include <stdlib.h>
#include <string.h>

struct __attribute__((packed)) cell { int n; };

int main(void) {
  char *p = calloc(8, 1);
  if (!p) return 0;
  int x = ((struct cell *)(p + 6))->n;
  free(p);
  return x;
}
