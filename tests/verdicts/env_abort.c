//! unreach-call: true
// abort ends the program at once, handlers of exit are not run.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void handler(void) { reach_error(); }

int main(void) {
  if (__VERIFIER_nondet_int() > 3) {
    atexit(handler);
    abort();
    reach_error();
  }
  return 0;
}
