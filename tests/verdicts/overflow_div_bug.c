//! no-overflow: false
// The least int divided by -1 does not fit.
// Witness for no-overflow: -2147483648 -1
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (y == 0) return 0;
  return x / y == 2;
}
