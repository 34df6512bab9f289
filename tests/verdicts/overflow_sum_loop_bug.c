//! no-overflow: false
// A running sum of five large inputs overflows in the fifth round only.
// Witness for no-overflow: 500000000 500000000 500000000 500000000 500000000
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int sum = 0;
  for (int i = 0; i < 5; i++) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 500000000) return 0;
    sum += x;
  }
  return sum == 1;
}
