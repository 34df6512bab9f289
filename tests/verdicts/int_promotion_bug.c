//! unreach-call: false
// The complement of an unsigned char is an int, so comparing it with 0xff never succeeds.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar();
  if (a == 0 && ~a != 0xff) reach_error();
  return 0;
}
