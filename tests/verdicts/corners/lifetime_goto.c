//! valid-memsafety: false(valid-deref)
// A jump out of the block ends its objects, a jump into it begins them. Witness for valid-memsafety: 0
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int zero = 0, *p = &zero;
  if (__VERIFIER_nondet_int()) goto inside;
  {
    int x;
    x = 1;
    p = &x;
    goto out;
  inside:
    x = 2;
  }
out:
  return *p;
}
