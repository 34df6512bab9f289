//! unreach-call: false
// Two values that compare equal have different reciprocals.
// Witness for unreach-call: -0.0
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
  double x = __VERIFIER_nondet_double();
  if (x == 0.0 && 1.0 / x < 0.0) reach_error();
  return 0;
}
