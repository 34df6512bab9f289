//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// A pointer chosen by a symbolic index is written through; only its target changes.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int a = 1, b = 2, c = 3;
  int *all[3] = { &a, &b, &c };
  unsigned i = __VERIFIER_nondet_uint() % 3;
  *all[i] += 10;
  if (a + b + c != 16) reach_error();
  if ((i == 1) != (b == 12)) reach_error();
  return 0;
}
