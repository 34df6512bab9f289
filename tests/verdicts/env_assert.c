//! unreach-call: true
//! valid-memsafety: true
// A failing assert ends the program: the code behind it sees the condition hold.
#include <assert.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(x > 5);
  if (x <= 5) reach_error();
  return 0;
}
