//! uninitialised: false
// Witness for uninitialised: 2
// An array of variable length has no value.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 3)
    return 0;
  int a[n];
  for (int i = 0; i + 1 < n; i++)
    a[i] = 0;
  if (a[n - 1])
    return 1;
  return 0;
}
