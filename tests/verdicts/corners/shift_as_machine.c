//! unreach-call: false
// An amount that is too large is undefined; where that is not checked, x86 takes its low bits.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  unsigned x = 1;
  if (n == 32 && (x << n) != 0) reach_error();
  return 0;
}
