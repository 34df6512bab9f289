//! unreach-call: true
//! no-overflow: true
// Right shifts copy the sign of signed values; the result has the promoted left operand's type.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned n = __VERIFIER_nondet_uint() % 32;
  if (x < 0 && (x >> n) >= 0) reach_error();
  if (((unsigned)x >> n) << n != ((unsigned)x & ~0u << n)) reach_error();
  unsigned char c = 0x80;
  if (c << 1 != 256) reach_error();
  if (sizeof(c << 1L) != sizeof(int)) reach_error();
  if (1ull << 40 != 1099511627776ull) reach_error();
  if (-8 >> 1 != -4 || -1 >> 31 != -1) reach_error();
  return 0;
}
