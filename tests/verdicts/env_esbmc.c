//! unreach-call: true
//! no-overflow: true
// ESBMC's intrinsics: assumptions cut paths, the assertions hold.
extern void reach_error(void);
int nondet_int(void);
void __ESBMC_assume(_Bool condition);
void __ESBMC_assert(_Bool condition, const char *what);

int main(void) {
  int x = nondet_int();
  __ESBMC_assume(x % 2 == 0 && x > 0);
  __ESBMC_assert(x != 1, "x is even");
  if (x == 7) reach_error();
  return 0;
}
