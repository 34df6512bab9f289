//! unreach-call: true
// Amounts that are in range mean what they say, in every width.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 127) return 0;
  unsigned __int128 wide = (unsigned __int128)1 << n;
  if (n < 64 ? (unsigned long)wide != 1ul << n : (unsigned long)(wide >> 64) != 1ul << (n - 64)) reach_error();
  unsigned char c = 200;
  c <<= 1;
  if (c != 144) reach_error();
  return 0;
}
