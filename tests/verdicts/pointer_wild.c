//! valid-memsafety: false(valid-deref)
// An arbitrary integer used as an address.
// Witness for valid-memsafety: 16
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void) {
  int x = 0;
  int *p = (int *)__VERIFIER_nondet_ulong();
  *p = 1;
  return x;
}
