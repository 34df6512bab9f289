//! unreach-call: true
//! assertion: true
// Quantifiers of CBMC and ESBMC: asserted, as a value, with bounds that the program computes, nested. Nothing is checked inside of
// one: the body reads outside of the array where its guard fails.
extern unsigned char __VERIFIER_nondet_uchar(void);

int squares[6];
int square;

int main(void) {
  int n = __VERIFIER_nondet_uchar() % 7;
  for (int i = 0; i < n; i++)
    squares[i] = i * i;
  __CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < n) ==> squares[i] == i * i }, "filled");
  __CPROVER_assert(!__CPROVER_exists { int i; 0 <= i && i < n && squares[i] < 0 }, "no negative one");
  _Bool all = __CPROVER_forall { unsigned i; i >= n || i >= 6 || squares[i] >= i };
  _Bool some = __CPROVER_exists { int k; (0 <= k && k < 6) && squares[k] == 9 };
  __CPROVER_assert(all, "all");
  __CPROVER_assert(some == (n > 3), "three squared");
  __CPROVER_assert(__CPROVER_forall { int i; squares[i] * squares[i] == 0 || 1 }, "anything may be read");
  int x;
  __ESBMC_assert(__ESBMC_forall(&x, x < 0 || x >= n || squares[x] == x * x), "ESBMC's");
  __CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < n) ==>
    __CPROVER_exists { int k; 0 <= k && k < 6 && squares[k] == i * i } }, "nested");
  return 0;
}
