//! assertion: true
// An uninterpreted function gives equal results for equal arguments, and nothing else is known of it.
int __CPROVER_uninterpreted_cost(int, char);
unsigned long __ESBMC_uninterpreted_key(const int *);
int nondet_int(void);

int main(void) {
  int a = nondet_int(), b = nondet_int(), where[2];
  int first = __CPROVER_uninterpreted_cost(a, 'x'), second = __CPROVER_uninterpreted_cost(b, 'x');
  __CPROVER_assert(a != b || first == second, "a function");
  __CPROVER_assert(__CPROVER_uninterpreted_cost(a, 'x') == first, "the same again");
  const int *p = where + 1;
  __CPROVER_assert(__ESBMC_uninterpreted_key(p) == __ESBMC_uninterpreted_key(&where[1]), "of addresses");
  return 0;
}
