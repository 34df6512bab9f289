//! unreach-call: true
// Two counters move together.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned a = 0, b = 5;
  while (__VERIFIER_nondet_int()) {
    a++;
    b++;
    if (b - a != 5) reach_error();
  }
  return 0;
}
