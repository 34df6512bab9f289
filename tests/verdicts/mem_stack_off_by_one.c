//! valid-memsafety: false(valid-deref)
// A loop with <= writes one element behind a local array.
int main(void) {
  int a[4];
  for (int i = 0; i <= 4; i++)
    a[i] = i;
  return a[0];
}
