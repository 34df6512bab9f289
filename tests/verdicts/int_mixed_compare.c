//! unreach-call: true
//! no-overflow: true
// Comparing int with unsigned converts the int; comparing with a wider signed type does not.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned u = 1;
  long wide = 1;
  if (x < 0 && x < u) reach_error();
  if (x < 0 && !(x < wide)) reach_error();
  if (x < 0 && !((long)u > x)) reach_error();
  if (-1 < (unsigned char)0 != 1) reach_error();
  return 0;
}
