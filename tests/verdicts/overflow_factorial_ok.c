//! unreach-call: true
//! no-overflow: true
// 12! fits in an int.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 12) return 0;
  if (factorial(n) > 479001600) reach_error();
  return 0;
}
