//! unreach-call: false
// The failure is three calls deep, and what leads there is an input of the procedure itself.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int walk(int n) {
  if (n == 3 && __VERIFIER_nondet_int() == 77) reach_error();
  if (n > 3) return n;
  return walk(n + 1) + 1;
}

int main(void) {
  if (walk(0) != 8) return 1;
  return 0;
}
