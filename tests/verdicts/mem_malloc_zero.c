//! valid-memsafety: false(valid-deref)
// A block of zero bytes has no first byte, whether malloc gave an address for it or null.
#include <stdlib.h>

int main(void) {
  char *p = malloc(0);
  p[0] = 1;
  free(p);
  return 0;
}
