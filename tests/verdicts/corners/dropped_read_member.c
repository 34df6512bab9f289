//! valid-memsafety: false(valid-deref)
// A member that is a structure, cast to void.
#include <stdlib.h>
struct s { int a; struct { int b, c; } in; };
int main(void) {
  struct s *p = malloc(sizeof(int));
  if (!p) return 0;
  (void)p->in;
  free(p);
  return 0;
}
