//! unreach-call: true
//! valid-memsafety: true
// Arbitrary input keeps its promises: characters or EOF, lines that end.
#include <stdio.h>
#include <string.h>
extern void reach_error(void);

int main(void) {
  char line[6];
  int c = getchar();
  if (c != EOF && (c < 0 || c > 255))
    reach_error();
  if (ungetc('x', stdin) == 'x' && getchar() != 'x')
    reach_error();
  if (fgets(line, sizeof line, stdin)) {
    if (strlen(line) > 5)
      reach_error();
    char *newline = strchr(line, '\n');
    if (newline && newline[1] != 0)
      reach_error();
  }
  return 0;
}
