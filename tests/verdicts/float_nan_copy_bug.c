//! assertion: false
// A copy equals the original, unless it is NaN.
// Witness for assertion: nan
#include <assert.h>
extern float __VERIFIER_nondet_float(void);

int main(void) {
  float original = __VERIFIER_nondet_float();
  float copy = original;
  assert(original == copy);
  return 0;
}
