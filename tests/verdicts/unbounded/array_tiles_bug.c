//! unreach-call: false
// Each iteration writes two elements; the last tile is forgotten.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n <= 1 || n > 40 || n % 2 != 0) return 0;
  int a[40] = {0};
  for (int i = 1; i < n / 2; i++) {
    a[2 * i - 2] = 3;
    a[2 * i - 1] = 4;
  }
  for (int i = 0; i < n; i++)
    if (a[i] != 3 && a[i] != 4) reach_error();
  return 0;
}
