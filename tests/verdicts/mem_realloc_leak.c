//! valid-memsafety: false(valid-memtrack)
// The result of realloc is the only pointer to the moved block, and it is lost.
#include <stdlib.h>

int main(void) {
  char *p = malloc(4);
  if (!p) return 0;
  p = realloc(p, 64);
  return 0;
}
