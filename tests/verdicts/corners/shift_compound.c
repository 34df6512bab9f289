//! shift: false
//! no-overflow: false
// What is shifted is the promoted int, not the unsigned char.
int main(void) {
  unsigned char c = 127;
  c <<= 31;
  return c;
}
