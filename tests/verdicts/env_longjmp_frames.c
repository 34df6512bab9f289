//! unreach-call: true
//! valid-memsafety: true
// Jumps leave any number of functions, also through a pointer; each setjmp has its own way back; 0 becomes 1.
#include <setjmp.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static jmp_buf outer, inner;
static volatile int steps;

static void fail(int where) { longjmp(where ? outer : inner, where); }
static void descend(int depth, void (*leave)(int)) {
  steps++;
  if (depth == 0) leave(steps == 3);
  descend(depth - 1, leave);
  reach_error();
}

int main(void) {
  volatile int rounds = 0;
  int far = __VERIFIER_nondet_int() != 0;
  switch (setjmp(outer)) {
  case 0: break;
  case 1:
    if (!far || steps != 3 || rounds != 1) reach_error();
    return 0;
  default: reach_error();
  }
  int back = setjmp(inner);
  if (back != (rounds == 0 ? 0 : 1)) reach_error();
  rounds++;
  if (back == 0) descend(far ? 2 : 1, fail);
  if (far || steps != 2 || rounds != 2) reach_error();
  return 0;
}
