//! unreach-call: false
// Not every int survives the way through float.
// Witness for unreach-call: 16777217
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 20000000) return 0;
  if ((int)(float)x != x) reach_error();
  return 0;
}
