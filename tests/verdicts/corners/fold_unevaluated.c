//! no-overflow: true
//! div-by-zero: true
// Neither the operand of sizeof nor the branch that is not taken is evaluated.
int main(void) {
  int zero = 0;
  int size = sizeof(2147483647 + 1) + sizeof(char[1 / 1]);
  return zero ? 1 / 0 : size > 100;
}
