//! uninitialised: false
// Comparing structs byte by byte looks at their padding.
#include <string.h>
struct mixed { char c; int i; };
int main(void) {
  struct mixed m, n;
  m.c = n.c = 'a';
  m.i = n.i = 1;
  return memcmp(&m, &n, sizeof m) != 0;
}
