//! valid-memsafety: false(valid-deref)
// The flexible array member has no element when only the struct was allocated.
#include <stdlib.h>

struct packet { unsigned length; short data[]; };

int main(void) {
  struct packet *p = malloc(sizeof *p);
  if (!p) return 0;
  p->length = 1;
  p->data[0] = 5;
  free(p);
  return 0;
}
