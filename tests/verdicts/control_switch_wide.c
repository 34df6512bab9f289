//! unreach-call: true
//! no-overflow: true
// A switch on a 64-bit value and on a char, with cases at the limits.
extern void reach_error(void);
extern long long __VERIFIER_nondet_longlong(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
  long long x = __VERIFIER_nondet_longlong();
  int r = 0;
  switch (x) {
  case 0x100000001LL: r = 1; break;
  case 1: r = 2; break;
  case -0x7fffffffffffffffLL - 1: r = 3; break;
  }
  if ((int)x == 1 && r == 0 && x >> 32 == 1) reach_error();
  if (r == 3 && x >= 0) reach_error();
  char c = __VERIFIER_nondet_char();
  switch (c) {
  case '\xff': r = 10; break;
  case 'a' ... 'z': r = 11; break;
  default: r = 12;
  }
  if (c == -1 && r != 10) reach_error();
  if (c < 0 && r == 11) reach_error();
  return 0;
}
