//! no-overflow: false
// The length is computed by the compiler, with a sum that has no value.
int main(void) {
  char buffer[2147483647 + 1 < 0 ? 2 : 3];
  buffer[0] = 0;
  return buffer[0];
}
