//! valid-memcleanup: false
//! valid-memsafety: true
// What a global still points to at the end is tracked, but not freed.
#include <stdlib.h>
int *kept;
int main(void) {
  kept = malloc(sizeof *kept);
  return 0;
}
