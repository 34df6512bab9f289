//! no-overflow: true
//! shift: false
// -8 is representable, but C does not define the shift of a negative value.
int main(void) {
  int x = -1;
  return (x << 3) != -8;
}
