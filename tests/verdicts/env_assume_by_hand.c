//! unreach-call: true
// The usual helpers written out: assume_abort_if_not, an assertion function, reach_error with a body.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);

void reach_error(void) { assert(0); }
static void assume_abort_if_not(int cond) { if (!cond) abort(); }
static void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: { reach_error(); abort(); }
  }
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  assume_abort_if_not(x > -100 && x < 100);
  __VERIFIER_assert(x * x < 10000);
  return 0;
}
