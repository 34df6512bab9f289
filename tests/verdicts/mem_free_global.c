//! valid-memsafety: false(valid-free)
// A global, or a block of the heap: only one of them may be freed.
// Witness for valid-memsafety: 0
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static char fallback[8];

int main(void) {
  char *p = __VERIFIER_nondet_int() ? malloc(8) : fallback;
  free(p);
  return 0;
}
