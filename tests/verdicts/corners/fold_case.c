//! no-overflow: false
// The switch is on a sum that overflows; its cases do not matter.
int main(void) {
  int high;
  switch ((high = 1 << 30) * 2) {
    case 0: return 1;
    default: return 0;
  }
}
