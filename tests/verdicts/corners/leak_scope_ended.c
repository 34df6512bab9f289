//! valid-memsafety: false(valid-memtrack)
// The last pointer was in a variable whose block has ended.
#include <stdlib.h>
int main(void) {
  {
    int *p = malloc(4);
    *p = 1;
  }
  exit(0);
}
