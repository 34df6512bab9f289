//! unreach-call: true
// Halving and doubling are exact away from the limits; the sum of bounded values is bounded.
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
  float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float();
  if (!(x >= 1.0f && x <= 2.0f && y >= 1.0f && y <= 2.0f)) return 0;
  if (x * 0.5f * 2.0f != x) reach_error();
  if (x + y > 4.0f || x + y < 2.0f) reach_error();
  if (x + y != y + x) reach_error();
  if (x - x != 0.0f) reach_error();
  return 0;
}
