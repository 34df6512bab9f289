//! valid-memsafety: false(valid-deref)
// The address of a variable is used after its block has ended.
int main(void) {
  int *p = 0;
  for (int i = 0; i < 1; i++) {
    int inner[2] = { 3, 4 };
    p = inner;
  }
  return p[1];
}
