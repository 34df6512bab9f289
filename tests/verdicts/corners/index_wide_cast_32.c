//! valid-memsafety: true
//! flags: --32
// The program itself cuts the index.
int a[4];
int main(void) {
  long long i = 0x100000001;
  return a[(int)i];
}
