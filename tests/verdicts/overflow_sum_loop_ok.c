//! no-overflow: true
// A running sum of four large inputs fits.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int sum = 0;
  for (int i = 0; i < 4; i++) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 500000000) return 0;
    sum += x;
  }
  return sum == 1;
}
