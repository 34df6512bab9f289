//! valid-memcleanup: false
// exit() ends the program as return does. Witness for valid-memcleanup: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *p = malloc(sizeof *p);
  if (__VERIFIER_nondet_int() == 1) exit(0);
  free(p);
  return 0;
}
