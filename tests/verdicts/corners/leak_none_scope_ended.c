//! valid-memsafety: true
// A variable of the block has ended, but one around it still has the pointer.
#include <stdlib.h>
int main(void) {
  int *q;
  {
    int *p = malloc(4);
    q = p;
  }
  exit(q == 0);
}
