//! div-by-zero: false
// The quotient of whole complex numbers divides by the sum of two squares, which may be zero.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int _Complex a = 4, b;
  __real__ b = __VERIFIER_nondet_int() & 1;
  __imag__ b = __VERIFIER_nondet_int() & 1;
  return __real__(a / b);
}
