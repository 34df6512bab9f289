//! unreach-call: false
// A power of two that no double is. Witness for unreach-call: 1024
#include <errno.h>
#include <math.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n != 3 && n != 1024) return 0;
  errno = 0;
  ldexp(1.0, n);
  if (errno == ERANGE) reach_error();
  return 0;
}
