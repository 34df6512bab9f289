//! valid-memsafety: false(valid-deref)
// An uninitialised pointer is dereferenced on one path.
// Witness for valid-memsafety: 0
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = 1;
  int *p;
  if (__VERIFIER_nondet_int()) p = &x;
  return *p;
}
