//! unreach-call: true
//! no-overflow: true
// A small scanner with two states never counts more words than half the letters, rounded up.
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
  enum { OUTSIDE, INSIDE } state = OUTSIDE;
  int words = 0;
  for (int i = 0; i < 5; i++) {
    if (__VERIFIER_nondet_char() == ' ')
      state = OUTSIDE;
    else if (state == OUTSIDE) {
      state = INSIDE;
      words++;
    }
  }
  if (words > 3) reach_error();
  return 0;
}
