//! no-overflow: false
// A check of the sum after the addition comes too late.
// Witness for no-overflow: 2147483647
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x + 100 < x) return 1;
  return 0;
}
