//! unreach-call: false
// The older name of the error function.
// Witness for unreach-call: -9
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == -9) __VERIFIER_error();
  return 0;
}
