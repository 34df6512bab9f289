//! valid-memsafety: true
// exit ends the program; what a global still points to is no leak.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static char *kept;

int main(void) {
  kept = malloc(4);
  if (__VERIFIER_nondet_int()) exit(1);
  free(kept);
  return 0;
}
