//! no-overflow: false
// x++ overflows at INT_MAX.
// Witness for no-overflow: 2147483647
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  x++;
  return x == 0;
}
