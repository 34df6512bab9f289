// Floats in registers and in memory; a filter that converges, and one that may meet infinities and NaN.
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
float kept;
int main(void) {
  double filtered = 0.0, wild = 0.0;
  while (__VERIFIER_nondet_int()) {
    double x = __VERIFIER_nondet_double();
    if (!(x >= -1.0 && x <= 1.0)) continue;
    filtered = filtered * 0.5 + x;
    wild = wild * 2.0 - x;
    if (kept < 100.0f) kept = kept + 1.5f;
  }
  return filtered > wild;
}
