//! valid-memsafety: false(valid-memtrack)
// A global pointer is overwritten while it holds the only reference.
// Witness for valid-memsafety: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int *keep;

int main(void) {
  keep = malloc(sizeof *keep);
  if (__VERIFIER_nondet_int()) keep = malloc(2 * sizeof *keep);
  return 0;
}
