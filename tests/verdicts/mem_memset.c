//! unreach-call: true
//! valid-memsafety: true
// memset with a symbolic value and length; the value is cut to a byte.
#include <string.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned words[2] = { 0x01020304, 0x05060708 };
  int value = __VERIFIER_nondet_int();
  unsigned n = __VERIFIER_nondet_uint() % 9;
  memset(words, value, n);
  unsigned char byte = (unsigned char)value;
  if (n >= 4 && words[0] != byte * 0x01010101u) reach_error();
  if (n <= 4 && words[1] != 0x05060708) reach_error();
  if (n == 1 && words[0] != (0x01020300 | byte)) reach_error();
  return 0;
}
