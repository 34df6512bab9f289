//! unreach-call: false
// A static local counts calls.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int f(void) {
  static int n;
  return ++n;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    if (f() == 31) reach_error();
  }
  return 0;
}
