//! no-overflow: false
// The sum of two ints may not fit.
// Witness for no-overflow: 2147483647 1
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  return x + y > 0;
}
