//! unreach-call: false
// The distance of two symbolic positions may be negative.
// Witness for unreach-call: 4 1
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  short a[5];
  short *p = a + __VERIFIER_nondet_uint() % 5, *q = a + __VERIFIER_nondet_uint() % 5;
  if (q - p == -3) reach_error();
  return 0;
}
