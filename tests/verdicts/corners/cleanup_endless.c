//! valid-memcleanup: true
// A program that never ends never fails to clean up.
#include <stdlib.h>
int *kept;
int main(void) {
  kept = malloc(sizeof *kept);
  for (;;) ;
}
