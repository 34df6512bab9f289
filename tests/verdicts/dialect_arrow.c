//! assertion: true
// `==>` binds less than `||` and more than `?:`, and to the right.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a = __VERIFIER_nondet_int() != 0, b = __VERIFIER_nondet_int() != 0, c = __VERIFIER_nondet_int() != 0;
  _Bool one = a ==> b || c;
  __CPROVER_assert(one == (!a || b || c), "weaker than ||");
  int two = a ==> b ? 5 : 6;
  __CPROVER_assert(two == ((!a || b) ? 5 : 6), "stronger than ?:");
  _Bool three = a ==> b ==> c;
  __CPROVER_assert(three == (!a || !b || c), "to the right");
  __CPROVER_assert((a <==> b) == (a == b), "equivalence");
  if (a ==> b)
    __CPROVER_assert(!a || b, "in a condition");
  return 0;
}
