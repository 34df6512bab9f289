//! valid-memsafety: false(valid-deref)
// The same where the compiler computes the address.
int a[4];
int main(void) {
  a[1ul << 62] = 3;
  return 0;
}
