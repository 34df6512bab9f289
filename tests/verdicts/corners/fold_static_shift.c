//! shift: false
// A table with a shift by more bits than int has.
int main(void) {
  static const int bits[] = {1 << 30, 1 << 33};
  return bits[0] == 0;
}
