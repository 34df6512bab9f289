//! unreach-call: true
// Either way the two sums grow by three together.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int rounds = __VERIFIER_nondet_int(), left = 0, right = 0, i = 0;
  if (rounds < 0 || rounds > 100000) return 0;
  for (; i < rounds; i++) {
    if (__VERIFIER_nondet_int()) {
      left += 1;
      right += 2;
    } else {
      left += 2;
      right += 1;
    }
  }
  if (left + right != 3 * i) reach_error();
  return 0;
}
