//! bounds: true
//! valid-memsafety: true
// Rows of a matrix, and the end of a field as an address that nothing is done at.
struct queue { int element[4], tail; };
extern int __VERIFIER_nondet_int(void);

static int sum(const int *from, const int *end) {
  int all = 0;
  while (from != end) all += *from++;
  return all;
}

int main(void) {
  struct queue q = { { 1, 2, 3, 4 }, 5 };
  int grid[2][3] = { { 0 } };
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 4) return 0;
  if (n < 3) grid[n % 2][n] = 1;
  return sum(q.element, &q.element[n]) + grid[1][2];
}
