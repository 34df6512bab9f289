//! valid-memsafety: false(valid-deref)
// A library function writes to a literal.
#include <string.h>
int main(void) {
  char *text = "fixed";
  strcpy(text, "new");
  return text[0];
}
