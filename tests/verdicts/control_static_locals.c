//! unreach-call: true
//! no-overflow: true
// Static locals keep their value between calls, each function its own.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int next(void) { static int n = 10; return n++; }
static int other(void) { static int n; return ++n; }

int main(void) {
  int a = next(), b = next();
  if (a != 10 || b != 11) reach_error();
  if (other() != 1) reach_error();
  if (__VERIFIER_nondet_int()) next();
  int c = next();
  if (c != 12 && c != 13) reach_error();
  for (int i = 0; i < 2; i++) {
    static int inner = 5;
    inner += i;
    if (inner != 5 + i) reach_error();
  }
  return 0;
}
