//! flags: --32
//! valid-memsafety: true
// An address that would come round is compared and never used.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int a[4] = { 0 };
  unsigned i = __VERIFIER_nondet_uint();
  int *end = a + i;
  if (i > 4) return end == a;
  for (unsigned k = 0; k < i; k++) a[k] = 1;
  return 0;
}
