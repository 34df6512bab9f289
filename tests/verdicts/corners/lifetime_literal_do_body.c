//! valid-memsafety: false(valid-deref)
// The body of a loop is a block, also without braces.
int main(void) {
  int *p = 0, n = 0;
  do p = &(int){1}; while (n++ < 1);
  return *p;
}
