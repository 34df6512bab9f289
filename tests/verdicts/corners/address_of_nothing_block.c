//! unreach-call: true
// A block without a byte has an address of its own, and so has a variable that has bytes.
#include <stdlib.h>
extern void reach_error(void);
struct nothing {} empty;
int main(void) {
  char *a = malloc(0), *b = malloc(0);
  int x, y;
  if (a && a == b) reach_error();
  if (&x == &y || (void *)a == (void *)&x || !&empty) reach_error();
  free(a);
  free(b);
  return 0;
}
