//! unreach-call: true
// exit ends the program from inside nested calls.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int x) { if (x != 1) exit(x); }
static void middle(int x) { check(x); }

int main(void) {
  int x = __VERIFIER_nondet_int();
  middle(x);
  if (x != 1) reach_error();
  return 0;
}
