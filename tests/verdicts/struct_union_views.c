//! unreach-call: true
//! valid-memsafety: true
// A union read through another member gives the bytes that were stored.
#include <stdint.h>
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
extern unsigned __VERIFIER_nondet_uint(void);

union view { uint32_t word; uint16_t half[2]; uint8_t byte[4]; float real; };

int main(void) {
  union view v;
  v.real = 1.0f;
  if (v.word != 0x3f800000) reach_error();
  v.word = __VERIFIER_nondet_uint();
  if (v.half[0] != (v.word & 0xffff) || v.byte[3] != v.word >> 24) reach_error();
  v.byte[2] = 0;
  if (v.word & 0xff0000) reach_error();
  v.real = __VERIFIER_nondet_float();
  if (v.real < 0 && !(v.word & 0x80000000)) reach_error();
  if (sizeof v != 4 || (void *)&v.half[1] != (void *)&v.byte[2]) reach_error();
  return 0;
}
