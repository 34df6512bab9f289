//! no-overflow: false
// Witness for no-overflow: -2147483648
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  return x * -1 == 0;
}
