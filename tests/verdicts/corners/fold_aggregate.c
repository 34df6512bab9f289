//! no-overflow: false
// clang makes one constant of the whole array, and the sum in it is gone before anything could check it.
int main(void) {
  int table[3] = {1, 2147483647 + 1, 3};
  return table[0] - 1;
}
