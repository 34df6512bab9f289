//! unreach-call: true
//! no-overflow: true
// Narrowing keeps the low bits; widening repeats the sign of signed types only.
#include <stdint.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  int8_t s = (int8_t)x;
  uint8_t u = (uint8_t)x;
  if (s < -128 || s > 127) reach_error();
  if ((s & 0xff) != u) reach_error();
  if ((s < 0) != (u >= 128)) reach_error();
  if (s != u && s + 256 != u) reach_error();
  int64_t wide = x;
  uint64_t zero = (uint32_t)x;
  if ((int32_t)wide != x || (int32_t)zero != x) reach_error();
  if (x < 0 && (wide >= 0 || zero < 0x80000000u)) reach_error();
  return 0;
}
