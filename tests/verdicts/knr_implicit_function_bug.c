//! unreach-call: false
// Inputs and the error function are used without any declaration.
// Witness for unreach-call: 77
main() {
  int x = __VERIFIER_nondet_int();
  if (x == 77) reach_error();
  return 0;
}
