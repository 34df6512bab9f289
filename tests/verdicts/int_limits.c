//! unreach-call: true
//! no-overflow: true
// Sizes and limits of the integer types under LP64, and the types of constants.
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
extern void reach_error(void);

int main(void) {
  if (sizeof(short) != 2 || sizeof(int) != 4 || sizeof(long) != 8 || sizeof(long long) != 8) reach_error();
  if (sizeof(void *) != 8 || sizeof(size_t) != 8) reach_error();
  if (sizeof(2147483647) != 4 || sizeof(2147483648) != 8) reach_error();
  if (0x80000000 < 0 || sizeof(0x80000000) != 4) reach_error();
  if (INT_MIN != -2147483647 - 1 || INT_MIN >= 0) reach_error();
  if (UINT_MAX != ~0u || ULONG_MAX != ~0ul) reach_error();
  if (SCHAR_MIN != -128 || USHRT_MAX != 65535) reach_error();
  if (-2147483648 != INT_MIN || 1u - 2 != UINT_MAX) reach_error();
  return 0;
}
