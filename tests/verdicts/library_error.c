//! unreach-call: true
//! valid-memsafety: true
// error comes back where the status is 0, and ends the program otherwise.
#include <error.h>
extern void reach_error(void);

int main(int argc, char **argv) {
  error(0, 0, "%d arguments", argc);
  if (argc > 1) {
    error_at_line(2, 0, "file", 3, "too many");
    reach_error();
  }
  return 0;
}
