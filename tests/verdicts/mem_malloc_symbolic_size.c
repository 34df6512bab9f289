//! unreach-call: true
//! valid-memsafety: true
// A block of symbolic size is used up to its last byte.
#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n == 0 || n > 100) return 0;
  unsigned char *p = malloc(n);
  if (!p) return 0;
  p[n - 1] = 7;
  p[n / 2] = 8;
  if (p[n - 1] != 7 && n > 2) reach_error();
  free(p);
  return 0;
}
