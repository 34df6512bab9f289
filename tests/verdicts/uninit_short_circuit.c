//! uninitialised: true
// The right operand is looked at only if there is a value.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int is_set = __VERIFIER_nondet_int() > 0, x;
  if (is_set)
    x = 5;
  if (is_set && x == 5)
    return 0;
  return is_set;
}
