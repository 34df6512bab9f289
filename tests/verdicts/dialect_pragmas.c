//! no-overflow: false
//! assertion: true
// Checks that are switched off, for the lines between the pragmas only.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y;
#pragma CPROVER check push
#pragma CPROVER check disable "signed-overflow"
  y = x + 1;
#pragma CPROVER check pop
  __CPROVER_assume(x < 100 && x > -100);
  __CPROVER_assert(y == x + 1, "the same");
  x = __VERIFIER_nondet_int();
  return x - 1;
}
