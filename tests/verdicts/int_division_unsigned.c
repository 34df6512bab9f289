//! unreach-call: true
//! no-overflow: true
// Unsigned division by constants and by a symbolic power of two.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  unsigned k = __VERIFIER_nondet_uint() % 4;
  if (x / 16 != x >> 4) reach_error();
  if (x % 16 != (x & 15)) reach_error();
  switch (k) {
  case 0: if (x / (1u << k) != x) reach_error(); break;
  case 1: if (x / (1u << k) != x >> 1) reach_error(); break;
  case 2: if (x % (1u << k) != (x & 3)) reach_error(); break;
  default: if (x / (1u << k) > 0x1fffffff) reach_error();
  }
  return 0;
}
