//! unreach-call: true
// What follows an endless loop is not reached.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  if (__VERIFIER_nondet_int() > 0) {
    volatile int spin = 1;
    while (spin) { }
    reach_error();
  }
  return 0;
}
