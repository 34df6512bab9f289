//! uninitialised: false
// A string without an end: strlen goes on into what was never written.
#include <string.h>
int main(void) {
  char text[8];
  text[0] = 'a';
  return strlen(text) > 5;
}
