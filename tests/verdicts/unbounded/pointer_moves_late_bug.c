//! unreach-call: false
// A pointer moves to another object after many iterations.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int x, y;

int main(void) {
  int *p = &x;
  int n = 0;
  while (__VERIFIER_nondet_int()) {
    if (n == 25) p = &y;
    *p = 1;
    n++;
  }
  if (y) reach_error();
  return 0;
}
