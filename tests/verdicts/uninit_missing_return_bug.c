//! uninitialised: false
// Witness for uninitialised: 0
// A function that ends without its result.
extern int __VERIFIER_nondet_int(void);
static int sign(int x) {
  if (x < 0)
    return -1;
  if (x > 0)
    return 1;
}
int main(void) {
  if (sign(__VERIFIER_nondet_int()) > 0)
    return 1;
  return 0;
}
