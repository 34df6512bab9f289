//! valid-memsafety: false(valid-deref)
// An array of symbolic length is filled one element too far.
// Witness for valid-memsafety: 7
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n == 0 || n > 100000) return 0;
  int *a = malloc(n * sizeof *a);
  if (!a) return 0;
  for (unsigned i = 0; i <= n; i++)
    a[i] = 0;
  free(a);
  return 0;
}
