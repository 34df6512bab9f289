//! unreach-call: false
// Of all the lengths up to nine only six makes the two counters meet.
// Witness for unreach-call: 6
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 9) return 0;
  unsigned a = 0, b = 18;
  for (unsigned i = 0; i < n; i++) {
    a++;
    b -= 2;
  }
  if (a == b) reach_error();
  return 0;
}
