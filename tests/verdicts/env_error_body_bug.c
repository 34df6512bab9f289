//! assertion: false
//! unreach-call: false
// An error function with a body of its own does what that says, also for those who do not ask about its calls.
// Witness for assertion: 3
// Witness for unreach-call: 3
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

void reach_error(void) { assert(0); }

int main(void) {
  if (__VERIFIER_nondet_int() == 3) reach_error();
  return 0;
}
