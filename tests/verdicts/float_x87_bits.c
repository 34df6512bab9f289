//! unreach-call: true
// The integer bit of an 80-bit float is stored. Without it an operand is no number; with it and no exponent it counts.
#include <float.h>
#include <string.h>
extern void reach_error(void);

union bits {
  long double value;
  unsigned char bytes[16];
};

static long double make(unsigned char sign_exponent, unsigned char exponent, unsigned char top) {
  union bits u;
  memset(&u, 0, sizeof u);
  u.bytes[9] = sign_exponent;
  u.bytes[8] = exponent;
  u.bytes[7] = top;
  return u.value;
}

int main(void) {
  if (make(0x3f, 0xff, 0x80) != 1.0L || make(0xbf, 0xff, 0xc0) != -1.5L) reach_error();
  long double unnormal = make(0x3f, 0xff, 0x00);
  if (unnormal == unnormal || unnormal == 1.0L) reach_error();
  if (make(0, 0, 0x80) != LDBL_MIN || make(0, 0, 0x40) != LDBL_MIN / 2) reach_error();
  union bits u;
  u.value = LDBL_MIN / 2;
  if (u.bytes[7] != 0x40) reach_error();
  return 0;
}
