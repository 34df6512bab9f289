//! no-overflow: false
// --x overflows at LONG_MIN.
// Witness for no-overflow: -9223372036854775808
extern long __VERIFIER_nondet_long(void);

int main(void) {
  long x = __VERIFIER_nondet_long();
  --x;
  return x == 0;
}
