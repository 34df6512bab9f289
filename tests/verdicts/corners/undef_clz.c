//! unreach-call: false
//! builtin: false
// __builtin_clz has no result for 0. Witness for builtin: 0
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  if (x > 1) return 0;
  if (__builtin_clz(x) < 31) reach_error();
  return 0;
}
