//! unreach-call: true
//! no-overflow: true
// CBMC's intrinsics: assumptions cut paths, the assertions hold.
extern void reach_error(void);
int nondet_int(void);
void __CPROVER_assume(_Bool condition);
void __CPROVER_assert(_Bool condition, const char *what);

int main(void) {
  int x = nondet_int();
  __CPROVER_assume(x > 3 && x < 9);
  __CPROVER_assert(x != 10, "x is small");
  if (x + 1 > 9) reach_error();
  return 0;
}
