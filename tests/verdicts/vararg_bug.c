//! unreach-call: false
// The sentinel that ends the list is also an ordinary value, so the sum stops early.
// Witness for unreach-call: 0
#include <stdarg.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int count(int first, ...) {
  va_list ap;
  int n = 0;
  va_start(ap, first);
  for (int x = first; x != 0; x = va_arg(ap, int))
    n++;
  va_end(ap);
  return n;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (count(1, x, 2, 0) != 3) reach_error();
  return 0;
}
