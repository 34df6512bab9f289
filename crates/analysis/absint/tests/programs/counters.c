// Bounds of counters in both orders, and what relates them.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000) return 0;
  int sum = 0, left = n;
  for (int i = 0; i < n; i++) {
    sum += 3;
    left--;
  }
  for (unsigned u = 200; u != 0; u -= 4) sum--;
  return sum + left;
}
