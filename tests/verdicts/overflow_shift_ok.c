//! no-overflow: true
// Shifts of bounded non-negative ints fit; unsigned shifts never overflow.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned u = __VERIFIER_nondet_uint();
  if (x < 0 || x > 0xffff) return 0;
  return (x << 15) + (int)(u << 31 >> 31) == 4;
}
