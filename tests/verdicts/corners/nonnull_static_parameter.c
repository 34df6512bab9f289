//! nonnull: false
// An array parameter with `static` promises elements, so it is not null. Witness for nonnull: 0
extern int __VERIFIER_nondet_int(void);
static int first(int a[static 1]) { return a ? a[0] : 0; }
int main(void) {
  int x = 1;
  return first(__VERIFIER_nondet_int() ? &x : 0);
}
