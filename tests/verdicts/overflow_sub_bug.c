//! no-overflow: false
// Subtracting a negative number may not fit; ordering by subtraction is the classic case.
// Witness for no-overflow: -2147483648 1
extern int __VERIFIER_nondet_int(void);

static int order(int a, int b) { return a - b; }

int main(void) {
  return order(__VERIFIER_nondet_int(), __VERIFIER_nondet_int()) < 0;
}
