//! no-overflow: false
// Shifting a one out of the value bits of an int.
// Witness for no-overflow: 1073741824
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0) return 0;
  return x << 1 == 4;
}
