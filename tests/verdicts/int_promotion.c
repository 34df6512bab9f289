//! unreach-call: true
//! no-overflow: true
// char and short operands are promoted to int before arithmetic, unsigned short included.
extern void reach_error(void);
extern signed char __VERIFIER_nondet_schar(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
  if (a + b < a) reach_error();
  if ((a - b < 0) != (a < b)) reach_error();
  if (~a >= 0) reach_error();
  unsigned short s = __VERIFIER_nondet_ushort();
  if (-s > 0) reach_error();
  if (sizeof(+a) != sizeof(int)) reach_error();
  signed char c = __VERIFIER_nondet_schar();
  if (c * c > 16384) reach_error();
  return 0;
}
