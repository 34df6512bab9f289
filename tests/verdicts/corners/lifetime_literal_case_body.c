//! valid-memsafety: false(valid-deref)
// The body of a switch is a block, also without braces. Witness for valid-memsafety: 1
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *p = 0;
  switch (__VERIFIER_nondet_int()) case 1: p = (int[]){1, 2};
  return p ? p[1] : 0;
}
