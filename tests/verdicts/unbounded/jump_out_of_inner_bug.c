//! unreach-call: false
// A jump leaves two loops at once.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int n = 0;
  while (__VERIFIER_nondet_int()) {
    for (int j = 0;j < 5;j++) {
      n++;
      if (n == 77) goto out;
    }
  }
  return 0;
  out: reach_error();
  return 0;
}
