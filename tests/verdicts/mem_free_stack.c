//! valid-memsafety: false(valid-free)
// A local array is given to free.
#include <stdlib.h>

int main(void) {
  char local[8];
  char *p = local;
  p[0] = 0;
  free(p);
  return 0;
}
