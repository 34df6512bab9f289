//! assertion: false
// Statements that are threads, with copies of the locals that they use.
int shared;

void add(int n) { shared = shared + n; }

int main(void) {
  int n = 2;
  __CPROVER_ASYNC_1: add(n);
  __CPROVER_ASYNC_2: if (n) { shared = 1; }
  __CPROVER_assert(shared != 3, "one after the other");
  return 0;
}
