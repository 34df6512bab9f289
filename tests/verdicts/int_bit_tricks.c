//! unreach-call: true
//! no-overflow: true
// Lowest set bit, power of two test, rotation, byte swap, population count.
#include <stdint.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  uint32_t x = __VERIFIER_nondet_uint();
  uint32_t low = x & -x;
  if (low & (low - 1)) reach_error();
  if ((x ^ low) != (x & (x - 1))) reach_error();
  uint32_t rotated = x << 7 | x >> 25;
  if ((rotated >> 7 | rotated << 25) != x) reach_error();
  uint32_t swapped = __builtin_bswap32(x);
  if ((swapped >> 24) != (x & 0xff)) reach_error();
  if ((unsigned)__builtin_popcount(x & 0xff) > 8) reach_error();
  if (x && (x >> __builtin_ctz(x) & 1) == 0) reach_error();
  if (x && (x << __builtin_clz(x)) < 0x80000000u) reach_error();
  return 0;
}
