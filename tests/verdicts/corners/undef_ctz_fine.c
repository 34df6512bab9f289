//! unreach-call: true
//! builtin: true
// For other numbers it counts.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  if (x == 0) return 0;
  if (__builtin_ctz(x) > 31) reach_error();
  return 0;
}
