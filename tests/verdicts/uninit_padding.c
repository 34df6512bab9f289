//! uninitialised: true
// Padding has no value, and copies of it are none of anybody's business.
#include <string.h>
struct mixed { char c; int i; short s; };
static struct mixed twice(struct mixed m) { m.i *= 2; return m; }
int main(void) {
  struct mixed m = {'a', 21, 1}, n;
  memcpy(&n, &m, sizeof m);
  n = twice(n);
  return n.i == 42 && n.c == 'a' && n.s == 1 ? 0 : 1;
}
