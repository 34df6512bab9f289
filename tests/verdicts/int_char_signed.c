//! unreach-call: true
//! no-overflow: true
// Plain char is signed on x86: comparing it with 0x80 or more as an int never succeeds.
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char c = __VERIFIER_nondet_char();
  if (c == 0xff) reach_error();
  if (c > 127) reach_error();
  if ('\xff' != -1) reach_error();
  if ((unsigned char)c > 255 || (unsigned char)c < c) reach_error();
  return 0;
}
