//! shift: false
// The amount is taken in its own type, where it is 2^32.
int main(void) {
  unsigned x = 1;
  unsigned long long n = 1ull << 32;
  return (x << n) == 7;
}
