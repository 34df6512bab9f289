//! unreach-call: true
// Checks in every iteration, over more inputs than an engine likes to ask about at once; each needs the one before.
extern void reach_error(void);
extern void abort(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned even = 0, odd = 1;
  for (int i = 0; i < 48; i++) {
    unsigned step = __VERIFIER_nondet_uint();
    if (step > 1000) abort();
    even += 2 * step;
    odd += 4 * step;
    if ((even & 1) || !(odd & 1)) reach_error();
  }
  return 0;
}
