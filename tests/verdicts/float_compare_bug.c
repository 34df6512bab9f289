//! unreach-call: false
// The negation of < is not >= when a NaN is around.
// Witness for unreach-call: nan
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
  float x = __VERIFIER_nondet_float();
  if (!(x < 1.0f) && !(x >= 1.0f)) reach_error();
  return 0;
}
