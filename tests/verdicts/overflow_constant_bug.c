//! no-overflow: false
// The overflow is between constants: the compiler computes it, and only a warning remains.
int main(void) {
  long x = 2147483647 + 1;
  return x == 0;
}
