//! unreach-call: false
// Two inputs are two values.
// Witness for unreach-call: 1 2
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  if (__VERIFIER_nondet_int() != __VERIFIER_nondet_int()) reach_error();
  return 0;
}
