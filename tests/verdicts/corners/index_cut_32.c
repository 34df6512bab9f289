//! bounds: false
//! flags: --32
// An index is no smaller for being cut to the width of pointers.
int main(void) {
  int a[2] = {0};
  unsigned long long i = 4294967296ULL;
  return a[i];
}
