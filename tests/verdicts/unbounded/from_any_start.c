//! unreach-call: true
// Two numbers keep their distance, whatever it is.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(), distance = x - y;
  while (__VERIFIER_nondet_uint()) {
    x += 3;
    y += 3;
  }
  if (x - y != distance) reach_error();
  return 0;
}
