//! valid-memsafety: false(valid-deref)
// strcpy into a buffer that has no room for the terminating zero.
#include <string.h>

int main(void) {
  char buffer[5];
  strcpy(buffer, "12345");
  return buffer[0];
}
