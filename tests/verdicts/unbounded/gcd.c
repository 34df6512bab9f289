//! unreach-call: true
// Euclid's algorithm ends with a nonzero result when one argument is nonzero.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  if (a == 0 && b == 0) return 0;
  while (b != 0) {
    unsigned r = a % b;
    a = b;
    b = r;
  }
  if (a == 0) reach_error();
  return 0;
}
