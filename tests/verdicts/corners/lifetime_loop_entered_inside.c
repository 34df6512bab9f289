//! valid-memsafety: false(valid-deref)
// The first round begins in the middle; the second has another object, and the pointer still leads to the first.
int main(void) {
  int round = 0, *p = 0;
  goto inside;
  while (round < 3) {
    int x;
    x = round;
    if (p) return *p + x;
  inside:
    x = 5;
    p = &x;
    round++;
  }
  return 0;
}
