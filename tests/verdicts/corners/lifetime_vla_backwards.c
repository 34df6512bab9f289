//! valid-memsafety: false(valid-deref)
// A jump back in front of its declaration ends a variable-length array (C17 6.2.4), also in the outermost block.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = 2, round = 0, *old = 0;
again:
  if (round == 1) return *old;
  int a[n];
  a[0] = 1;
  old = a;
  round++;
  goto again;
}
