//! unreach-call: false
// A value that is positive as an int becomes negative as a short.
// Witness for unreach-call: 40000
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  short s = (short)x;
  if (x > 0 && s < 0) reach_error();
  return 0;
}
