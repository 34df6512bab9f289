//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// snprintf and sscanf are exact on known values, and memory that they touch is checked.
#include <stdio.h>
#include <string.h>
extern void reach_error(void);

int main(void) {
  char text[64];
  int n = snprintf(text, sizeof text, "%5d|%-4s|%08.3f|%g|%#x|%.2e|%c", -42, "hi", 3.14159, 0.1, 255u, 12345.678, 'z');
  if (strcmp(text, "  -42|hi  |0003.142|0.1|0xff|1.23e+04|z") != 0 || n != (int)strlen(text))
    reach_error();
  if (snprintf(text, 4, "%s", "abcdef") != 6 || strcmp(text, "abc") != 0)
    reach_error();
  int x, y;
  char word[8];
  if (sscanf(" 12 word 0x1f", "%d %7s %i", &x, word, &y) != 3 || x != 12 || y != 31 || strcmp(word, "word") != 0)
    reach_error();
  return 0;
}
