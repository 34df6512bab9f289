//! valid-memsafety: true
// Each round allocates one block and frees it.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  while (__VERIFIER_nondet_int()) {
    int *p = malloc(sizeof *p);
    if (!p) break;
    *p = 1;
    free(p);
  }
  return 0;
}
