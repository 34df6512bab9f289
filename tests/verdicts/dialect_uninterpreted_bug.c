//! assertion: false
// Different arguments need not give equal results, and the function need not be increasing.
int __CPROVER_uninterpreted_cost(int);
int nondet_int(void);

int main(void) {
  int a = nondet_int(), b = nondet_int();
  __CPROVER_assume(a > 0 && b > a);
  __CPROVER_assert(__CPROVER_uninterpreted_cost(a) <= __CPROVER_uninterpreted_cost(b), "increasing");
  return 0;
}
