//! uninitialised: false
// A pointer without a value is tested.
int main(void) {
  int *p;
  if (p)
    return 1;
  return 0;
}
