//! unreach-call: false
// A callee changes a global, and what follows the loop depends on how often.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int g;

static void inc(void) {
  g++;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    inc();
  }
  if (g == 33) reach_error();
  return 0;
}
