//! valid-memsafety: false(valid-deref)
// The variable of a loop whose first part is never run.
int main(void) {
  int *p;
  goto inside;
  for (int i = 0;;) {
  inside:
    i = 3;
    p = &i;
    break;
  }
  return *p;
}
