//! valid-memsafety: false(valid-deref)
// The size computation wraps around in 32 bits, so the block is smaller than the count says.
// Witness for valid-memsafety: 1073741825
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned count = __VERIFIER_nondet_uint();
  if (count <= 1000 && count > 0) return 0;
  unsigned size = count * 4u;
  if (size == 0 || size > 4096) return 0;
  int *p = malloc(size);
  if (!p) return 0;
  p[count - 1] = 1;
  free(p);
  return 0;
}
