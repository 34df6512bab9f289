//! unreach-call: false
// The test for odd numbers with % 2 == 1 misses the negative ones.
// Witness for unreach-call: -3
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if ((x & 1) && x % 2 != 1) reach_error();
  return 0;
}
