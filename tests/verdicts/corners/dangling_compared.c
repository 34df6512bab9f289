//! dangling: false
//! valid-memsafety: true
// The value of a pointer to freed memory is compared, which has no meaning although nothing is accessed.
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p), *q = p;
  free(p);
  return p != q;
}
