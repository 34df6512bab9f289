//! bounds: true
//! valid-memsafety: true
//! flags: --32
// Indices of 64 bits that are in range, also negative ones.
int main(void) {
  int a[3] = {0}, *p = a + 2;
  for (long long i = 0; i < 3; i++) a[i] = 1;
  return p[-2LL] + *(p - 1LL);
}
