//! unreach-call: false
// The error comes in the tenth round.
// Witness for unreach-call: 1 1 1 1 1 1 1 1 1 1
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned n = 0;
  while (__VERIFIER_nondet_int()) {
    n++;
    if (n == 10) reach_error();
  }
  return 0;
}
