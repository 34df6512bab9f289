//! unreach-call: true
//! no-overflow: true
// Incrementing a signed char at its limit converts the int 128 back to -128: no overflow.
extern void reach_error(void);
extern signed char __VERIFIER_nondet_schar(void);
extern short __VERIFIER_nondet_short(void);

int main(void) {
  signed char c = __VERIFIER_nondet_schar();
  signed char before = c;
  c++;
  if (before == 127 && c != -128) reach_error();
  short s = __VERIFIER_nondet_short();
  s *= s;
  s -= 32767;
  c = -c;
  return 0;
}
