//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// Three symbolic numbers are sorted by insertion.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[3];
  for (int i = 0; i < 3; i++)
    a[i] = __VERIFIER_nondet_int();
  for (int i = 1; i < 3; i++)
    for (int j = i; j > 0 && a[j - 1] > a[j]; j--) {
      int t = a[j];
      a[j] = a[j - 1];
      a[j - 1] = t;
    }
  if (a[0] > a[1] || a[1] > a[2]) reach_error();
  return 0;
}
