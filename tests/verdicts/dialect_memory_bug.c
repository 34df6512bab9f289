//! assertion: false
// The object is smaller than what is asked.
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar();
  char *p = malloc(n);
  __CPROVER_precondition(__CPROVER_w_ok(p, 4), "room for four");
  return 0;
}
