//! unreach-call: true
// A counter that grows by two stays even, however often the loop runs (it wraps around).
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned n = 0;
  while (__VERIFIER_nondet_int()) {
    n += 2;
    if (n % 2) reach_error();
  }
  return 0;
}
