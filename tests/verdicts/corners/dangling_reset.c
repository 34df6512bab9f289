//! dangling: true
//! valid-memsafety: true
// What is set anew after its object has ended may be used.
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  if (p) *p = 1;
  free(p);
  p = 0;
  int x, *q;
  {
    int inner = 2;
    q = &inner;
    x = *q;
  }
  q = &x;
  return (p == q) + *q - 2;
}
