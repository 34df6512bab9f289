//! unreach-call: false
// The extreme values of the input types do occur.
// Witness for unreach-call: -128 65535 -9223372036854775808 1
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern long long __VERIFIER_nondet_longlong(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  char c = __VERIFIER_nondet_char();
  unsigned short w = __VERIFIER_nondet_ushort();
  long long l = __VERIFIER_nondet_longlong();
  _Bool b = __VERIFIER_nondet_bool();
  if (c == -128 && w == 65535 && l < 0 && l == (long long)(1ull << 63) && b) reach_error();
  return 0;
}
