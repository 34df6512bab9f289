//! uninitialised: false
// Printing a value looks at it. (MemorySanitizer does not see what printf is given.)
#include <stdio.h>
int main(void) {
  int x;
  printf("%d\n", x);
  return 0;
}
