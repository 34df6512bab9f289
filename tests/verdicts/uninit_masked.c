//! uninitialised: true
// Bits that an operation throws away do not matter.
int main(void) {
  unsigned x;
  if (x & 0)
    return 1;
  if (((x | 1) & 1) == 0)
    return 2;
  if (((x << 8) & 255) != 0)
    return 3;
  return 0;
}
