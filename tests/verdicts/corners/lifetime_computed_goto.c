//! valid-memsafety: false(valid-deref)
// A computed goto leaves blocks like any other.
int main(void) {
  void *targets[] = {&&first, &&second};
  int *p = 0;
  goto *targets[0];
first: {
  int x = 1;
  p = &x;
  goto *targets[1];
}
second:
  return *p;
}
