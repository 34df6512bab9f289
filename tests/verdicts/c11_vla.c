//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// Variable length arrays: as locals in a loop, as parameters with two dimensions.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int corner(int rows, int cols, int m[rows][cols]) {
  return m[rows - 1][cols - 1];
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(1 <= n && n <= 3);
  int m[n][n + 1];
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= n; j++)
      m[i][j] = 10 * i + j;
  if (corner(n, n + 1, m) != 10 * (n - 1) + n) reach_error();
  for (int i = 1; i <= n; i++) {
    char again[i];
    again[i - 1] = (char)i;
    if (again[sizeof again - 1] != i) reach_error();
  }
  return 0;
}
