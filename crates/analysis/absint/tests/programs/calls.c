// Callees are followed in the state of the call; recursion is not, and loses what it may have changed.
extern int __VERIFIER_nondet_int(void);
int total, depth;
struct pair { int a, b; };
static void bump(struct pair *p, int most) {
  if (p->a < most) p->a++;
  p->b = 2 * p->a;
}
static void dive(int n) {
  depth++;
  if (n > 0) dive(n - 1);
}
int main(void) {
  struct pair p = {0, 0};
  int kept = 5;
  while (__VERIFIER_nondet_int()) {
    bump(&p, 9);
    if (total < 100) total += 10;
  }
  while (__VERIFIER_nondet_int()) {
    dive(3);
    if (kept > 0) kept--;
  }
  return p.a + p.b + kept;
}
