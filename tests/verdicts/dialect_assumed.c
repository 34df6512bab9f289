//! assertion: true
// Quantifiers that are assumed: `forall` tries all values, `exists` takes one.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[4];
  for (int i = 0; i < 4; i++)
    a[i] = __VERIFIER_nondet_int();
  int k = __VERIFIER_nondet_int();
  __CPROVER_assume(__CPROVER_forall { int i; (0 <= i && i < 4) ==> (a[i] > 10 && a[i] < 20) });
  __CPROVER_assume(k >= 0 && k < 4);
  __CPROVER_assert(a[k] > 10, "each");
  __CPROVER_assume(__CPROVER_exists { int i; 0 <= i && i < 4 && a[i] == 15 });
  __CPROVER_assert(a[0] == 15 || a[1] == 15 || a[2] == 15 || a[3] == 15, "one of them");
  return 0;
}
