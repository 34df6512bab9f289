//! no-overflow: false
// Doubling overflows in the thirty-first round.
// Witness for no-overflow: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = 1;
  while (__VERIFIER_nondet_int())
    x = x + x;
  return 0;
}
