//! assertion: true
// The same with "greater than zero": NaN doesn't get in, and what overflows becomes infinity.
#include <assert.h>
extern double __VERIFIER_nondet_double(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  double value = __VERIFIER_nondet_double();
  if (!(value > 0.)) return 0;
  unsigned rounds = __VERIFIER_nondet_uint();
  if (rounds > 3) return 0;
  for (unsigned i = 0; i < rounds; ++i) {
    value = 2 * value;
    assert(value > 0);
  }
  return 0;
}
