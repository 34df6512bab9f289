//! unreach-call: true
//! valid-memsafety: true
// An uninitialised variable has one value, though an arbitrary one.
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
  int x, a[2];
  if (x != x) reach_error();
  int y = x;
  if (y != x) reach_error();
  if (a[0] != a[0]) reach_error();
  unsigned char *p = malloc(2);
  if (!p) return 0;
  if (p[0] == 5 && p[0] != 5) reach_error();
  free(p);
  return 0;
}
