//! unreach-call: false
// The two counters move together for ten rounds only.
// Witness for unreach-call: 1 1 1 1 1 1 1 1 1 1 1 0
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned a = 0, b = 0;
  while (__VERIFIER_nondet_int()) {
    a++;
    b += a > 10 ? 2 : 1;
  }
  if (a != b) reach_error();
  return 0;
}
