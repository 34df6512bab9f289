//! unreach-call: true
//! valid-memsafety: true
// calloc gives zeros at every index.
#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 8 + 1, i = __VERIFIER_nondet_uint();
  short *p = calloc(n, sizeof *p);
  if (!p) return 0;
  if (i < n && p[i] != 0) reach_error();
  free(p);
  return 0;
}
