//! no-overflow: true
//! shift: true
// Every amount and every value fits.
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  unsigned n = c % 24;
  unsigned u = 3u << 31;
  return ((c << 23) >> n) + (1 << n) < 0 || u == 0;
}
