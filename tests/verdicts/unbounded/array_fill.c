//! unreach-call: true
//! valid-memsafety: true
// An array of symbolic length is filled and read back.
#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n == 0 || n > 100000) return 0;
  unsigned *a = malloc(n * sizeof *a);
  if (!a) return 0;
  for (unsigned i = 0; i < n; i++)
    a[i] = 2 * i;
  for (unsigned i = 0; i < n; i++)
    if (a[i] != 2 * i) reach_error();
  free(a);
  return 0;
}
