//! valid-memsafety: false(valid-free)
// Two paths meet, and one of them has freed the block already.
// Witness for valid-memsafety: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  char *p = malloc(3);
  if (__VERIFIER_nondet_int() > 0) free(p);
  free(p);
  return 0;
}
