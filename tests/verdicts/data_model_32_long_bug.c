//! no-overflow: false
//! flags: --32
// A long has 32 bits under ILP32: adding one to INT_MAX overflows.
// Witness for no-overflow: 2147483647
extern int __VERIFIER_nondet_int(void);

int main(void) {
  long x = __VERIFIER_nondet_int();
  x = x + 1;
  return x == 0;
}
