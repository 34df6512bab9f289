//! valid-memsafety: false(valid-deref)
// A function keeps the address of a temporary array.
struct s { int a[20]; } zero;
struct s make(void) { return zero; }
int *kept;
int keep(int *p) { kept = p; return *p; }
int main(void) {
  keep(make().a);
  return *kept;
}
