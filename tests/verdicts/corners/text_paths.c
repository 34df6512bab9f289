//! unreach-call: true
//! valid-memsafety: true
// The parts of a path, with slashes at its end.
#include <libgen.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
  char a[] = "/usr//lib//", b[] = "/usr//lib//", c[] = "name", d[] = "//";
  if (strcmp(dirname(a), "/usr") != 0 || strcmp(basename(b), "lib") != 0) reach_error();
  if (strcmp(dirname(c), ".") != 0 || strcmp(basename(c), "name") != 0) reach_error();
  if (strcmp(basename(d), "/") != 0) reach_error();
  return 0;
}
