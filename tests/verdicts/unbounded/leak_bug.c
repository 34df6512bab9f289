//! valid-memsafety: false(valid-memtrack)
// The block of the round before is lost when the loop goes on.
// Witness for valid-memsafety: 1 1 0
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *p = NULL;
  while (__VERIFIER_nondet_int()) {
    p = malloc(sizeof *p);
    if (!p) return 0;
    *p = 1;
  }
  free(p);
  return 0;
}
