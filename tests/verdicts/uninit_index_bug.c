//! uninitialised: false
// The index has no value; the element is written and never read.
int main(void) {
  int a[4] = {0}, i;
  a[i & 3] = 1;
  return 0;
}
