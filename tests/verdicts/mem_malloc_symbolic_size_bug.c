//! valid-memsafety: false(valid-deref)
// The block has n bytes, not n ints.
// Witness for valid-memsafety: 5
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n == 0 || n > 100) return 0;
  int *p = malloc(n);
  if (!p) return 0;
  p[n - 1] = 7;
  free(p);
  return 0;
}
