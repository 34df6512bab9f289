//! unreach-call: false
// The value of the jump says where it came from.
// Witness for unreach-call: 7
#include <setjmp.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static jmp_buf place;
static void check(int x) {
  if (x < 0) longjmp(place, 1);
  if (x == 7) longjmp(place, 2);
}

int main(void) {
  int why = setjmp(place);
  if (why == 2) reach_error();
  if (why == 0) check(__VERIFIER_nondet_int());
  return 0;
}
