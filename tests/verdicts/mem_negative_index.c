//! valid-memsafety: false(valid-deref)
// A signed index is checked above but not below.
// Witness for valid-memsafety: -1
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[4] = { 0 };
  int i = __VERIFIER_nondet_int();
  if (i >= 4 || i < -1) return 0;
  a[i] = 1;
  return 0;
}
