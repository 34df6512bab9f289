//! no-overflow: true
// Conversions that do not fit are implementation-defined, not overflows.
extern unsigned __VERIFIER_nondet_uint(void);
extern long long __VERIFIER_nondet_longlong(void);

int main(void) {
  unsigned u = __VERIFIER_nondet_uint();
  long long l = __VERIFIER_nondet_longlong();
  int a = (int)u;
  int b = (int)l;
  signed char c = (signed char)a;
  c += 300;
  return a == b && c == 1;
}
