//! valid-memsafety: false(valid-memtrack)
// The last pointer was in a variable whose block has ended, and the program never does.
#include <stdlib.h>
int main(void) {
  for (int *p = malloc(4); p; p = 0) break;
  for (;;) {}
}
