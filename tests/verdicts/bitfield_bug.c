//! unreach-call: false
// A counter in a 3-bit field comes back to zero after eight steps.
// Witness for unreach-call: 8
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct s { unsigned n : 3; };

int main(void) {
  struct s v = { 0 };
  int steps = __VERIFIER_nondet_int();
  if (steps < 1 || steps > 10) return 0;
  for (int i = 0; i < steps; i++) v.n++;
  if (v.n == 0) reach_error();
  return 0;
}
