//! no-overflow: false
// An unsigned char is an int in a shift. Witness for no-overflow: 128
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  unsigned word = c << 24;
  return word == 1;
}
