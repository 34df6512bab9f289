//! valid-memsafety: false(valid-free)
// The pointer given to free was moved inside its block.
#include <stdlib.h>

int main(void) {
  char *p = malloc(4);
  if (!p) return 0;
  *p++ = 'a';
  free(p);
  return 0;
}
