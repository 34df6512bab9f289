//! unreach-call: true
// An array of any length is copied and compared.
#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n == 0 || n > 1000000) return 0;
  int *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  for (unsigned i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  for (unsigned i = 0; i < n; i++) b[i] = a[i];
  for (unsigned i = 0; i < n; i++)
    if (a[i] != b[i]) reach_error();
  free(a);
  free(b);
  return 0;
}
