//! unreach-call: true
//! valid-memsafety: true
// Freeing a null pointer does nothing; a pointer set to null is not freed twice.
#include <stdlib.h>

int main(void) {
  char *p = malloc(3);
  free(p);
  p = NULL;
  free(p);
  free(NULL);
  return 0;
}
