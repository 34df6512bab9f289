//! unreach-call: true
//! valid-memsafety: true
// The pointer was moved and moved back before it is freed.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 5;
  char *p = malloc(4);
  if (!p) return 0;
  char *q = p + n;
  if (n < 4) *q = 1;
  free(q - n);
  return 0;
}
