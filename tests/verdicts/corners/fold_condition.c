//! no-overflow: false
//! unreach-call: true
// An overflow between constants in a condition whose value nobody needs.
int main(void) {
  int most;
  while (-(most = -2147483647 - 1) > 0) return 1;
  return 0;
}
