//! unreach-call: true
//! valid-memsafety: true
// An object seen as bytes, little-endian, read and written.
#include <string.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  unsigned char *b = (unsigned char *)&x;
  unsigned again = b[0] | b[1] << 8 | b[2] << 16 | (unsigned)b[3] << 24;
  if (again != x) reach_error();
  b[1] = 0xaa;
  if ((x >> 8 & 0xff) != 0xaa) reach_error();
  int *p = 0, y = 4, *q = &y;
  memcpy(&p, &q, sizeof p);
  if (*p != 4) reach_error();
  for (unsigned i = 0; i < sizeof p; i++)
    ((char *)&p)[i] = ((char *)&q)[i];
  *p = 5;
  if (y != 5) reach_error();
  return 0;
}
