//! valid-memsafety: false(valid-deref)
// A variable length array is written one element behind its end.
// Any n in 1..4 fails.
// Witness for valid-memsafety: 2
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 4) return 0;
  int a[n];
  for (int i = 0; i <= n; i++)
    a[i] = i;
  return 0;
}
