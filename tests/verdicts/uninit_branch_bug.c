//! uninitialised: false
// Witness for uninitialised: 0
// A local that only one way gives a value decides a branch.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x;
  if (__VERIFIER_nondet_int())
    x = 1;
  if (x > 0)
    return 1;
  return 0;
}
