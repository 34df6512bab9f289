//! valid-memsafety: false(valid-deref)
// A block of zero bytes has no first byte.
#include <stdlib.h>

int main(void) {
  char *p = malloc(0);
  if (p) p[0] = 1;
  free(p);
  return 0;
}
