//! unreach-call: false
// The halves of a word change one by one.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  long l = 0;
  int *q = (int*)&l;
  while (__VERIFIER_nondet_int()) {
    q[1]++;
    if (l == (17L<<32)) reach_error();
  }
  return 0;
}
