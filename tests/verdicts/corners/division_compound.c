//! div-by-zero: true
//! no-overflow: true
// The division is done in long long.
int main(void) {
  int i = -2147483647 - 1;
  i /= 4294967296LL;
  return i;
}
