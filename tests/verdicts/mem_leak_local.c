//! valid-memsafety: false(valid-memtrack)
// The only pointer to a block goes out of scope.
#include <stdlib.h>

static void work(void) {
  int *p = malloc(sizeof *p);
  if (p) *p = 1;
}

int main(void) {
  work();
  return 0;
}
