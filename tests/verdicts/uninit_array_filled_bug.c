//! uninitialised: false
// Witness for uninitialised: 7
// The loop ends one element before the end.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[8], i = __VERIFIER_nondet_int();
  for (int k = 0; k < 7; k++)
    a[k] = k * k;
  if (i < 0 || i >= 8)
    return 0;
  return a[i] >= 0 ? 0 : 1;
}
