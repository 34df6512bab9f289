//! unreach-call: true
// An inner loop starts again in every iteration of the outer one.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int s = 0;
  while (__VERIFIER_nondet_int()) {
    s = 0;
    while (s < 10 && __VERIFIER_nondet_int()) s++;
    if (s > 10) reach_error();
  }
  return 0;
}
