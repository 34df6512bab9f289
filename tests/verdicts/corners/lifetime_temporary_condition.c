//! valid-memsafety: false(valid-deref)
// The condition is a full expression of its own.
struct s { int a[20]; } zero;
struct s make(void) { return zero; }
int main(void) {
  int *q;
  if (*(q = make().a)) return 1;
  return *q;
}
