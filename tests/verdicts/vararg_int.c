//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// Integers through an ellipsis; more than fit in registers; small types arrive as int.
#include <stdarg.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int pick(int which, ...) {
  va_list ap;
  va_start(ap, which);
  int r = 0;
  for (int i = 0; i <= which; i++)
    r = va_arg(ap, int);
  va_end(ap);
  return r;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  char c = -3;
  if (pick(0, x) != x) reach_error();
  if (pick(9, 0, 1, 2, 3, 4, 5, 6, 7, 8, x) != x) reach_error();
  if (pick(1, 0, c) != -3) reach_error();
  return 0;
}
