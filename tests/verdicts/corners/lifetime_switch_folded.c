//! valid-memsafety: false(valid-deref)
// clang folds the switch, and the block inside has no scope of its own in the debug information.
int main(void) {
  const int k = 0;
  int x = 1, *p = &x;
  switch (k) {
    case 0: {
      int y = 2;
      p = &y;
      break;
    }
    default: p = &x;
  }
  return *p;
}
