// Floating point, exactly: adding 0.1 ten times is not 1, and x + y - y is not always x. Try:
//   fathom verify examples/rounding.c
#include <assert.h>

extern float __VERIFIER_nondet_float(void);

int main(void) {
  double sum = 0.0;
  for (int i = 0; i < 10; i++) sum += 0.1;
  assert(sum != 1.0); // holds
  float x = __VERIFIER_nondet_float();
  float y = __VERIFIER_nondet_float();
  if (!(x > 1.0f && x < 2.0f && y > 1.0f && y < 2.0f)) return 0;
  assert(x + y - y == x); // fails: rounding
  return 0;
}
