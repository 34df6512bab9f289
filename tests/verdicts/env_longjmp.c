//! unreach-call: true
// longjmp returns to setjmp a second time with the value given.
#include <setjmp.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static jmp_buf place;
static void deep(int x) { if (x > 0) longjmp(place, 7); }

int main(void) {
  int x = __VERIFIER_nondet_int();
  int r = setjmp(place);
  if (r == 0) {
    deep(x);
    if (x > 0) reach_error();
  } else if (r != 7)
    reach_error();
  return 0;
}
