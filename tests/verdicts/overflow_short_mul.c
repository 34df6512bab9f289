//! no-overflow: true
// The product of two shorts and the sum of three fit in an int.
extern short __VERIFIER_nondet_short(void);

int main(void) {
  short a = __VERIFIER_nondet_short(), b = __VERIFIER_nondet_short();
  int product = a * b;
  int sum = a + b + a;
  return product == sum;
}
