//! valid-memsafety: false(valid-deref)
// A null pointer is dereferenced on one of two paths.
// Witness for valid-memsafety: 0
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = 0, *p = 0;
  if (__VERIFIER_nondet_int()) p = &x;
  *p = 1;
  return 0;
}
