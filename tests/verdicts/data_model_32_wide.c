//! unreach-call: true
//! no-overflow: true
//! flags: --32
// 64-bit arithmetic, arguments and results on a 32-bit target.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned long long join(unsigned high, unsigned low) {
  return (unsigned long long)high << 32 | low;
}

int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  unsigned long long x = join(a, b);
  if ((unsigned)(x >> 32) != a || (unsigned)x != b) reach_error();
  if (x - b != (unsigned long long)a << 32) reach_error();
  if ((unsigned long)x != b) reach_error();
  return 0;
}
