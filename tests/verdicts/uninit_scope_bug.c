//! uninitialised: false
// The second time round, the variable has no value again.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  for (int i = 0; i < 2; i++) {
    int x;
    if (i == 0)
      x = 1;
    if (x != 1)
      return 1;
  }
  return 0;
}
