//! unreach-call: false
// A variable that was never set has one value all the time.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int u;
  int n = 0;
  while (__VERIFIER_nondet_int()) {
    n++;
    if (n == 21 && u == 5) reach_error();
  }
  return 0;
}
