//! valid-memsafety: false(valid-deref)
// The block is read after it was freed on one path.
// Witness for valid-memsafety: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *p = malloc(sizeof *p);
  if (!p) return 0;
  *p = 1;
  int freed = __VERIFIER_nondet_int() != 0;
  if (freed) free(p);
  int x = *p;
  if (!freed) free(p);
  return x;
}
