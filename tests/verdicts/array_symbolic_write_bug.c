//! unreach-call: false
// Two symbolic writes: the second may hit the first.
// Witness for unreach-call: 3 3
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int a[6] = { 0 };
  unsigned i = __VERIFIER_nondet_uint() % 6, j = __VERIFIER_nondet_uint() % 6;
  a[i] = 1;
  a[j] = 2;
  if (a[i] != 1) reach_error();
  return 0;
}
