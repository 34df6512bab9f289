//! unreach-call: true
//! no-overflow: true
// The overflow-checking builtins report what happened and store the wrapped result.
#include <limits.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), r;
  if (__builtin_add_overflow(x, 1, &r)) {
    if (x != INT_MAX || r != INT_MIN) reach_error();
  } else if (r <= x)
    reach_error();
  if (__builtin_mul_overflow(x, 2, &r) != (x > INT_MAX / 2 || x < INT_MIN / 2)) reach_error();
  unsigned char narrow;
  if (__builtin_add_overflow(x & 127, 128, &narrow)) reach_error();
  if (!__builtin_sub_overflow(0, 1, &narrow) || narrow != 255) reach_error();
  return 0;
}
