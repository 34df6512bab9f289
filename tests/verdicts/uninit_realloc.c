//! uninitialised: true
// realloc keeps what was there.
#include <stdlib.h>
int main(void) {
  int *a = malloc(2 * sizeof *a), *b;
  if (!a)
    return 0;
  a[0] = 1;
  a[1] = 2;
  b = realloc(a, 4 * sizeof *b);
  if (!b) {
    free(a);
    return 0;
  }
  int sum = b[0] + b[1] == 3 ? 0 : 1;
  free(b);
  return sum;
}
