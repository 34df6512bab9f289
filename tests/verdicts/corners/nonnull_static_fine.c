//! nonnull: true
static int first(int n, int a[static 1], int b[]) { return a[0] + n; }
int main(void) {
  int x[2] = {1, 2};
  return first(1, x + 1, 0);
}
