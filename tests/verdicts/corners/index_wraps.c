//! valid-memsafety: false(valid-deref)
// 2^62 elements of four bytes come round to the first one, but that index is outside.
int a[4];
int main(void) {
  unsigned long i = 1ul << 62;
  return a[i];
}
