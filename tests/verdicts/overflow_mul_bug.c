//! no-overflow: false
// The square of 46341 is the first that doesn't fit.
// Witness for no-overflow: 46341
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 46341) return 0;
  return x * x == 9;
}
