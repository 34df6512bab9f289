//! valid-memsafety: false(valid-deref)
// Nine characters and the end do not fit eight bytes.
#include <stdio.h>

int main(void) {
  char text[8];
  sprintf(text, "%d", 123456789);
  return text[0];
}
