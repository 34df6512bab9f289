//! no-overflow: false
//! shift: false
// The amount is in range, the value does not fit. Witness for no-overflow: 3
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 3) return 0;
  return (x << 30) != 0;
}
