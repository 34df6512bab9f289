//! valid-memsafety: false(valid-deref)
// The left side of a comma is read and dropped.
#include <stdlib.h>
struct s { int a, b; };
int main(void) {
  struct s *p = malloc(sizeof *p);
  free(p);
  return (*p, 0);
}
