//! valid-memsafety: false(valid-deref)
//! flags: --32
// The distance comes round to the array again; in C it is outside all the same.
int a[4];
int main(void) {
  long long i = 0x100000001;
  return a[i];
}
