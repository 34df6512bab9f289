//! uninitialised: true
// An array that a loop fills is read at an index that is not known.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[8], i = __VERIFIER_nondet_int();
  for (int k = 0; k < 8; k++)
    a[k] = k * k;
  if (i < 0 || i >= 8)
    return 0;
  return a[i] >= 0 ? 0 : 1;
}
