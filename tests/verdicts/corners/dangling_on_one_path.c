//! dangling: false
// Only one of two paths frees. Witness for dangling: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *p = malloc(sizeof *p);
  if (__VERIFIER_nondet_int()) free(p);
  return p == 0;
}
