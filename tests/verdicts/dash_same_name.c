//! unreach-call: true
// Static variables of one name in two functions are two objects.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int up(void) { static int n = 10; return n++; }
static int down(void) { static int n = 20; return n--; }

int main(void) {
  if (__VERIFIER_nondet_int()) up();
  int a = up(), b = down();
  if (a < 10 || a > 11 || b != 20) reach_error();
  return 0;
}
