//! unreach-call: false
// The sum of two unsigned numbers can be less than either of them.
// Witness for unreach-call: 4294967295 2
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
  if (x > 0 && y > 0 && x + y < x) reach_error();
  return 0;
}
