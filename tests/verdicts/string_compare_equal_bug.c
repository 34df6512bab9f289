//! assertion: false
// Equal texts give exactly zero, also where the program looks at more than the sign.
#include <assert.h>
#include <string.h>
static int identity(int x) { return x * 2; }

int main(void) {
  char text[8] = "ab";
  strcat(text, "c");
  assert(identity(strcmp(text, "abc")) != 0);
  return 0;
}
