//! uninitialised: true
// Both ways give the local a value.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x;
  if (__VERIFIER_nondet_int())
    x = 1;
  else
    x = 2;
  if (x > 0)
    return 1;
  return 0;
}
