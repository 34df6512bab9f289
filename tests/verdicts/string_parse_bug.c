//! unreach-call: false
// A decimal parser accepts the password-like number 407 only.
// Witness for unreach-call: 52 48 55
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
  int value = 0;
  for (int i = 0; i < 3; i++) {
    char c = __VERIFIER_nondet_char();
    if (c < '0' || c > '9') return 0;
    value = value * 10 + (c - '0');
  }
  if (value == 407) reach_error();
  return 0;
}
