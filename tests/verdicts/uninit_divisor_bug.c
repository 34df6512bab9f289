//! uninitialised: false
// The divisor has no value.
int main(void) {
  unsigned d, q = 7;
  q = 10u / (d | 1u);
  (void)q;
  return 0;
}
