//! unreach-call: true
//! valid-memsafety: true
// A write at a symbolic index changes that element and no other.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[6] = { 0, 1, 2, 3, 4, 5 };
  unsigned i = __VERIFIER_nondet_uint() % 6, j = __VERIFIER_nondet_uint() % 6;
  int x = __VERIFIER_nondet_int();
  a[i] = x;
  if (a[i] != x) reach_error();
  if (i != j && a[j] != (int)j) reach_error();
  return 0;
}
