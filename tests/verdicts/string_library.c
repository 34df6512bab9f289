//! unreach-call: true
//! valid-memsafety: true
// strlen, strcmp, strcpy, strcat, strchr and strncmp on short strings.
#include <string.h>
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char buffer[12];
  strcpy(buffer, "abc");
  strcat(buffer, "de");
  if (strlen(buffer) != 5 || strcmp(buffer, "abcde") != 0) reach_error();
  if (strchr(buffer, 'd') != buffer + 3 || strchr(buffer, 'x')) reach_error();
  if (strncmp(buffer, "abX", 2) != 0 || strcmp("a", "b") >= 0) reach_error();
  buffer[1] = __VERIFIER_nondet_char();
  size_t n = strlen(buffer);
  if (n != 5 && n != 1) reach_error();
  if ((strcmp(buffer, "abcde") == 0) != (buffer[1] == 'b')) reach_error();
  return 0;
}
