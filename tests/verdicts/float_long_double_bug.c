//! unreach-call: false
// An 80-bit input whose double is far from it: the exponent has four bits more.
// Witness for unreach-call: 1e400
extern void reach_error(void);
extern long double __VERIFIER_nondet_long_double(void);

int main(void) {
  long double x = __VERIFIER_nondet_long_double();
  if (!(x > 1.0L && x < 1e4000L)) return 0;
  double narrow = (double)x;
  if (narrow - 1e308 > 1e308) reach_error();
  return 0;
}
