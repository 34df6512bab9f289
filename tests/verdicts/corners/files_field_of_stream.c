//! unreach-call: true
//! valid-memsafety: true
// What the fields of a stream hold is the C library's business; nothing of it is known.
#include <stdio.h>
extern void reach_error(void);

int main(void) {
  if (stdout->_fileno != 1)
    reach_error();
  return 0;
}
