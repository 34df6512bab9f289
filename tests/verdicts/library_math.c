//! unreach-call: true
// Exact functions on known values, bounds of the others on arbitrary ones.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
  int e, q;
  double whole;
  if (frexp(12.0, &e) != 0.75 || e != 4 || ldexp(0.75, 4) != 12.0 || modf(-3.25, &whole) != -0.25 || whole != -3.0)
    reach_error();
  if (fmod(0x1p1000, 3.0) != 1.0 || remquo(7.0, 2.0, &q) != -1.0 || q != 4 || nextafter(1.0, 2.0) != 1.0 + 0x1p-52)
    reach_error();
  if (ilogb(1024.5) != 10 || logb(0x1p-1074) != -1074.0 || scalbn(1.0, -1074) != 0x1p-1074)
    reach_error();
  double x = __VERIFIER_nondet_double();
  if (isfinite(x)) {
    double s = sin(x);
    if (!(s >= -1.0 && s <= 1.0) || exp(x) < 0)
      reach_error();
  }
  if (x > 0 && isnan(log(x)))
    reach_error();
  return 0;
}
