//! unreach-call: false
// Ackermann's function for small arguments reaches 13 once.
// Witness for unreach-call: 2 5
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
  unsigned m = __VERIFIER_nondet_uint() % 3, n = __VERIFIER_nondet_uint() % 6;
  if (ackermann(m, n) == 13) reach_error();
  return 0;
}
