//! unreach-call: true
// long double on x86 has 64 bits of precision, more than double.
#include <float.h>
extern void reach_error(void);

int main(void) {
  long double one = 1.0L;
  long double tiny = 0x1p-60L;
  if (one + tiny == one) reach_error();
  if ((double)(one + tiny) != 1.0) reach_error();
  long double big = 18446744073709551615.0L;
  if ((unsigned long long)big != 18446744073709551615ull) reach_error();
  if (LDBL_MANT_DIG != 64 || sizeof(long double) != 16) reach_error();
  return 0;
}
