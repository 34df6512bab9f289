//! valid-memsafety: false(valid-deref)
// A variable-length array ends with its block. Witness for valid-memsafety: 2
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 2) return 0;
  char *p = "x";
  for (int i = 0; i < n; i++) {
    char a[i + 1];
    if (i == 1 && *p == 'y') return 1;
    a[0] = 'y';
    p = a;
  }
  return 0;
}
