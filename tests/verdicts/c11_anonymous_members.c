//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// Members of anonymous structs and unions belong to the struct around them.
#include <stdint.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct value {
  int kind;
  union {
    uint32_t word;
    struct { uint16_t low, high; };
    uint8_t byte[4];
  };
};

int main(void) {
  struct value v = { .kind = 1, .word = 0x11223344 };
  if (v.low != 0x3344 || v.high != 0x1122 || v.byte[3] != 0x11) reach_error();
  uint32_t x = __VERIFIER_nondet_uint();
  v.word = x;
  if ((uint32_t)v.high << 16 != (x & 0xffff0000u)) reach_error();
  v.high = 0;
  if (v.word != x % 65536) reach_error();
  return 0;
}
