//! unreach-call: true
//! no-overflow: true
// 64-bit values: products of 32-bit values, halves, conversions at the limits.
#include <stdint.h>
#include <limits.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  int64_t twice = (int64_t)x * 2;
  if (twice / 2 != x) reach_error();
  if ((twice > INT_MAX) != (x > INT_MAX / 2)) reach_error();
  uint64_t u = (uint64_t)(int64_t)x;
  if (x < 0 && (u >> 32) != 0xffffffffu) reach_error();
  if ((int64_t)(int)u != x) reach_error();
  if (LLONG_MAX + 1ull != 1ull << 63) reach_error();
  return 0;
}
