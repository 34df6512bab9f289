//! unreach-call: true
//! no-overflow: true
// A loop adds an input again and again: every test in it is about one number, and each is longer than the one before.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = -50;
  int y = __VERIFIER_nondet_int();
  if (y <= -40 || y >= 100000) return 0;
  while (x < 0) {
    x = x + y;
    y++;
  }
  if (y <= 0) reach_error();
  return 0;
}
