//! valid-memsafety: false(valid-deref)
// The size of the pointer is taken for the size of the array, which is shorter.
#include <string.h>

int main(void) {
  char small[4];
  char *p = small;
  memset(p, 0, sizeof p);
  return small[0];
}
