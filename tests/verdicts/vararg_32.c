//! unreach-call: true
//! valid-memsafety: true
//! flags: --32
// On i386 all arguments of an ellipsis are on the stack.
#include <stdarg.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct s { char c[5]; };

static int check(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int i = va_arg(ap, int);
  double d = va_arg(ap, double);
  struct s s = va_arg(ap, struct s);
  long long q = va_arg(ap, long long);
  va_end(ap);
  return i == n && d == 1.5 && s.c[4] == 'e' && q == -7;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  struct s s = { { 'a', 'b', 'c', 'd', 'e' } };
  if (!check(n, n, 1.5, s, -7LL)) reach_error();
  return 0;
}
