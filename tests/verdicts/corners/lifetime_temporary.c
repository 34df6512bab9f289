//! valid-memsafety: false(valid-deref)
// An array in a returned structure lives until the end of the full expression.
struct s { int a[2]; };
struct s make(void) { struct s s = {{1, 2}}; return s; }
int main(void) {
  int *q = make().a;
  return *q;
}
