//! unreach-call: true
//! assertion: false
// Behind an assertion the program goes on only where it holds: the error call can't be reached, the assertion fails.
#include <assert.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned sum = 0;
  for (int i = 0; i < 40; i++) sum += __VERIFIER_nondet_uint();
  assert(sum != 12345);
  if (sum == 12345) reach_error();
  return 0;
}
