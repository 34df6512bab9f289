//! unreach-call: true
//! no-overflow: true
// Assumptions cut paths; contradictory ones leave nothing behind.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x >= 10 && x < 20);
  if (x * 2 < 20 || x * 2 > 38) reach_error();
  if (x == 15) {
    __VERIFIER_assume(x != 15);
    reach_error();
  }
  return 0;
}
