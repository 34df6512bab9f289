//! valid-memsafety: false(valid-deref)
// What a function returns is read and dropped.
struct s { int a, b; };
struct s *none(void) { return 0; }
int main(void) {
  *none();
  return 0;
}
