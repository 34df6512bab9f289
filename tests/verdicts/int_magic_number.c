//! unreach-call: false
// One input among 2^32 takes the branch; x * 31 + 7 modulo 2^32 must be a given number.
// Witness for unreach-call: 4023243777
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  unsigned h = x * 31u + 7u;
  h ^= h >> 16;
  if (h == 0x9eca5cau) reach_error();
  return 0;
}
