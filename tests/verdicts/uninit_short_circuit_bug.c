//! uninitialised: false
// Witness for uninitialised: 0
// The operands are the wrong way round.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int is_set = __VERIFIER_nondet_int() > 0, x;
  if (is_set)
    x = 5;
  if (x == 5 && is_set)
    return 0;
  return is_set;
}
