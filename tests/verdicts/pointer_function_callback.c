//! unreach-call: false
// A callback stored in a struct is replaced on one path.
// Witness for unreach-call: -1
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct handler { void (*run)(int); int argument; };

static void good(int x) { (void)x; }
static void bad(int x) { if (x == 42) reach_error(); }

int main(void) {
  struct handler h = { good, 41 };
  int x = __VERIFIER_nondet_int();
  if (x < 0) h.run = bad;
  h.argument++;
  h.run(h.argument);
  return 0;
}
