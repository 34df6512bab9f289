//! valid-memcleanup: true
// A handler frees at the end.
#include <stdlib.h>
static int *kept;
static void clean(void) { free(kept); }
int main(void) {
  atexit(clean);
  kept = malloc(sizeof *kept);
  return 0;
}
