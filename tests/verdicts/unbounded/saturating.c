//! unreach-call: true
//! no-overflow: true
// A counter that stops at its limit never overflows.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = 0;
  while (__VERIFIER_nondet_int()) {
    if (x < 1000000) x += 3;
    if (x > 1000002) reach_error();
  }
  return 0;
}
