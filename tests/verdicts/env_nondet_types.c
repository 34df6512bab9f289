//! unreach-call: true
//! no-overflow: true
// Every input function gives a value of its type.
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long __VERIFIER_nondet_long(void);

int main(void) {
  int b = __VERIFIER_nondet_bool();
  if (b != 0 && b != 1) reach_error();
  int c = __VERIFIER_nondet_char();
  if (c < -128 || c > 127) reach_error();
  int u = __VERIFIER_nondet_uchar();
  if (u < 0 || u > 255) reach_error();
  int s = __VERIFIER_nondet_short();
  if (s < -32768 || s > 32767) reach_error();
  int w = __VERIFIER_nondet_ushort();
  if (w < 0 || w > 65535) reach_error();
  unsigned long l = __VERIFIER_nondet_ulong();
  long m = __VERIFIER_nondet_long();
  if (l == (unsigned long)m && (l >> 63) != (m < 0)) reach_error();
  return 0;
}
