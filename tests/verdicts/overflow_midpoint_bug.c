//! no-overflow: false
// The midpoint of a binary search computed as (low + high) / 2.
// Witness for no-overflow: 2147483646 2147483647
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  if (low < 0 || high < low) return 0;
  int middle = (low + high) / 2;
  return middle == 3;
}
