//! assertion: false
// That one element has a value says nothing of the others.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[3] = {__VERIFIER_nondet_int(), __VERIFIER_nondet_int(), __VERIFIER_nondet_int()};
  __CPROVER_assume(__CPROVER_exists { int i; 0 <= i && i < 3 && a[i] == 15 });
  __CPROVER_assert(a[1] == 15, "the second");
  return 0;
}
