//! valid-memsafety: false(valid-deref)
//! flags: --32
// Backwards, to where the distance comes round to the array.
int a[4];
int main(void) {
  long long i = 0x100000001;
  int *p = a + 2;
  p -= i;
  return *p;
}
