//! unreach-call: true
//! valid-memsafety: true
// What follows the call of a _Noreturn function is not reached.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static _Noreturn void die(int code) {
  exit(code);
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0) {
    die(2);
    reach_error();
  }
  if (x < 0) reach_error();
  return 0;
}
