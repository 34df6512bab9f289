//! unreach-call: false
// The failure comes before an assumption that excludes it, late in a loop over many inputs.
extern void reach_error(void);
extern void abort(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned sum = 0;
  for (int i = 0; i < 48; i++) {
    unsigned step = __VERIFIER_nondet_uint();
    if (step > 100) abort();
    sum += step;
    if (sum == 4600) reach_error();
    if (sum >= 4600) abort();
  }
  return 0;
}
