//! unreach-call: false
// x + 1 == x for some finite positive float.
// Witness for unreach-call: 1e10
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
  float x = __VERIFIER_nondet_float();
  if (x > 0.0f && x < 1e12f && x + 1.0f == x) reach_error();
  return 0;
}
