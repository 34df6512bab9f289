//! valid-memsafety: false(valid-deref)
// A row so far away.
int a[4][4];
int main(void) {
  unsigned long i = 1ul << 60;
  return a[i][1];
}
