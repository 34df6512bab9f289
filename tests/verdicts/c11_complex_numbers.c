//! unreach-call: true
// Complex numbers: parts, addition, multiplication, comparison.
#include <complex.h>
extern void reach_error(void);

int main(void) {
  double _Complex a = 1.0 + 2.0 * I;
  double _Complex b = 3.0 - 1.0 * I;
  double _Complex sum = a + b;
  if (creal(sum) != 4.0 || cimag(sum) != 1.0) reach_error();
  double _Complex product = a * b;
  if (__real__ product != 5.0 || __imag__ product != 5.0) reach_error();
  if (a == b || a != a) reach_error();
  float _Complex narrow = a;
  __imag__ narrow = 0.5f;
  if (cimagf(narrow) != 0.5f || crealf(narrow) != 1.0f) reach_error();
  return 0;
}
