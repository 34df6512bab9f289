//! uninitialised: true
// strncpy fills the rest with zeros; strlen stops at the first.
#include <string.h>
int main(void) {
  char text[8], copy[8];
  text[0] = 'a';
  text[1] = 0;
  strncpy(copy, text, sizeof copy);
  return strlen(text) == 1 && copy[7] == 0 ? 0 : 1;
}
