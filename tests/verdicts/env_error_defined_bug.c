//! unreach-call: false
// A call of reach_error is the error whatever its body does.
// Witness for unreach-call: 12
extern int __VERIFIER_nondet_int(void);

static int seen;
void reach_error(void) { seen = 1; }

int main(void) {
  if (__VERIFIER_nondet_int() == 12) reach_error();
  return seen;
}
