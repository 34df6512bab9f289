//! unreach-call: true
//! valid-memsafety: true
// A packed struct has no padding; its members are read and written unaligned.
#include <stddef.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct __attribute__((packed)) wire { char kind; int length; short check; long long big; };
struct plain { char kind; int length; short check; long long big; };

int main(void) {
  if (sizeof(struct wire) != 15 || sizeof(struct plain) != 24) reach_error();
  if (offsetof(struct wire, check) != 5) reach_error();
  struct wire w[2] = { { 0 } };
  int x = __VERIFIER_nondet_int();
  w[1].length = x;
  w[1].big = x;
  if (w[1].length != x || w[1].big != x || w[1].kind || w[1].check) reach_error();
  unsigned char *raw = (unsigned char *)w;
  if (raw[16] != (unsigned char)x) reach_error();
  return 0;
}
