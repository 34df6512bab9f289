//! unreach-call: true
// Each iteration writes two elements.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), limit = __VERIFIER_nondet_int();
  if (n <= 1 || n % 2 != 0) return 0;
  int a[n];
  for (int i = 1; i <= n / 2; i++) {
    a[2 * i - 2] = 3 >= limit ? 3 : 0;
    a[2 * i - 1] = 1 >= limit ? 1 : 0;
  }
  for (int i = 0; i < n; i++)
    if (!(a[i] >= limit || a[i] == 0)) reach_error();
  return 0;
}
