//! uninitialised: false
// One bit of it decides.
int main(void) {
  unsigned x;
  if (x & 4)
    return 1;
  return 0;
}
