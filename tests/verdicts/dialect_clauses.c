//! assertion: true
// Clauses of contracts bind those who ask for them; without that a program is what it does.
int increment(int *p)
  __CPROVER_requires(__CPROVER_is_fresh(p, sizeof(*p)) && *p < 10)
  __CPROVER_ensures(*p == __CPROVER_old(*p) + 1 && __CPROVER_return_value == *p)
  __CPROVER_assigns(*p) {
  return ++*p;
}

int main(void) {
  int x = 20, sum = 0;
  for (int i = 0; i < 3; i++)
    __CPROVER_loop_invariant(0 <= i && i <= 3)
    __CPROVER_decreases(3 - i) {
      sum += i;
    }
  __CPROVER_assert(increment(&x) == 21 && sum == 3, "as it is");
  return 0;
}
