//! unreach-call: false
// Two equations in two unknowns with a single small solution.
// Witness for unreach-call: 17 4
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x < 0 || x > 100 || y < 0 || y > 100) return 0;
  if (3 * x + 2 * y == 59 && x - 4 * y == 1) reach_error();
  return 0;
}
