//! no-overflow: true
// The same sum in a wider type, and in an operand that is never evaluated.
int main(void) {
  long x = 2147483647L + 1;
  return x == 0 || sizeof(2147483647 + 1) == 4;
}
