//! uninitialised: false
// Witness for uninitialised: -1
// A function gives its result through a pointer, but not if it fails.
extern int __VERIFIER_nondet_int(void);
static int parse(int input, int *result) {
  if (input < 0)
    return -1;
  *result = input;
  return 0;
}
int main(void) {
  int number;
  parse(__VERIFIER_nondet_int(), &number);
  if (number == 7)
    return 1;
  return 0;
}
