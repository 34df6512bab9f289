//! unreach-call: true
// McCarthy's function: the argument of a recursive call is the result of another.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int f(int x) { return x > 100 ? x - 10 : f(f(x + 11)); }

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 95 || x > 105) return 0;
  int r = f(x);
  if (r != 91 && x <= 101) reach_error();
  if (r != x - 10 && x > 101) reach_error();
  return 0;
}
