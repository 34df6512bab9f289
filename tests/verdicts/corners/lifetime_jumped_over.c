//! valid-memsafety: false(valid-deref)
// The only way into the block jumps over the declaration, so the compiler never sees it; the variable ends all the same.
int main(void) {
  int *p;
  goto inside;
  {
    int x;
  inside:
    x = 5;
    p = &x;
  }
  return *p;
}
