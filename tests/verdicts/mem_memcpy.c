//! unreach-call: true
//! valid-memsafety: true
// memcpy of a symbolic length copies that many bytes and leaves the others.
#include <string.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char from[4], to[4] = { 9, 9, 9, 9 };
  for (int i = 0; i < 4; i++)
    from[i] = __VERIFIER_nondet_uchar();
  unsigned n = __VERIFIER_nondet_uint() % 5;
  memcpy(to, from, n);
  for (unsigned i = 0; i < 4; i++)
    if (to[i] != (i < n ? from[i] : 9)) reach_error();
  return 0;
}
