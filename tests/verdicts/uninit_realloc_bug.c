//! uninitialised: false
// Behind what was there, realloc gives memory without a value.
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
  int sum = 0;
  if (b[2] == 3)
    sum = 1;
  free(b);
  return sum;
}
