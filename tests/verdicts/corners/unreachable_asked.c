//! unreachable: false
//! unreach-call: true
// Witness for unreachable: 5
extern int __VERIFIER_nondet_int(void);
int main(void) {
  if (__VERIFIER_nondet_int() == 5) __builtin_unreachable();
  return 0;
}
