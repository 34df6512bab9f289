//! valid-memsafety: false(valid-deref)
// The text has no end: printing it reads behind the buffer.
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[8];
  memset(text, 'x', sizeof text);
  printf("%.8s\n", text);
  printf("%s\n", text);
  return 0;
}
