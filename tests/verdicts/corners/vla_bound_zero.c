//! vla-bound: false
// Witness for vla-bound: 0
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 3) return 0;
  int a[n];
  a[0] = 1;
  return 0;
}
