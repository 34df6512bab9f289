//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// alignof, typeof and sizeof; sizeof of a variable length array is computed when the program runs.
#include <stdalign.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  if (alignof(float[10]) != 4) reach_error();
  if (alignof(struct { char c; int n; }) != 4) reach_error();
  struct s { int a; char b; } x = { 1, 2 };
  __typeof__(x) y = x;
  if (sizeof(y) != sizeof(struct s) || y.b != 2) reach_error();
  if (sizeof(char) != 1 || sizeof('a') != sizeof(int)) reach_error();

  unsigned n = __VERIFIER_nondet_uint() % 4 + 1;
  unsigned before = n;
  short vla[n][3];
  if (sizeof(vla) != 6 * before || sizeof(vla[0]) != 6) reach_error();
  if (sizeof(n++) != 4 || n != before) reach_error();
  return 0;
}
