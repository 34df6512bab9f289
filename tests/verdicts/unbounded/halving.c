//! unreach-call: true
// Halving a float between 0 and 1 keeps it there.
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  float x = __VERIFIER_nondet_float();
  if (!(x >= 0.0f && x <= 1.0f)) return 0;
  while (__VERIFIER_nondet_int()) {
    x = x / 2;
    if (!(x >= 0.0f && x <= 0.5f)) reach_error();
  }
  return 0;
}
