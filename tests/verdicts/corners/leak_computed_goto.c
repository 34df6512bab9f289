//! valid-memsafety: false(valid-memtrack)
// The block of the last pointer is left by a computed goto.
#include <stdlib.h>
int main(void) {
  void *targets[] = {&&out};
  {
    char *p = malloc(1);
    p[0] = 1;
    goto *targets[0];
  }
out:
  exit(0);
}
