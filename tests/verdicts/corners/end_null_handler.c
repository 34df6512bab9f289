//! unreach-call: true
// The GNU C library refuses a null pointer as a handler by an assertion that fails.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  atexit(0);
  reach_error();
  return 0;
}
