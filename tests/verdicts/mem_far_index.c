//! flags: --32
//! valid-memsafety: false(valid-deref)
// An index times the size of an element comes round to the array again: a place inside it, and yet no element of it.
// Witness for valid-memsafety: 1073741826
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int *a = malloc(16);
  unsigned i = __VERIFIER_nondet_uint();
  if (i >= 4 && i != 1073741826u) { free(a); return 0; }
  a[i] = 1;
  free(a);
  return 0;
}
