//! unreach-call: true
//! valid-memsafety: true
// memcmp compares unsigned bytes, first difference first.
#include <string.h>
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char a[3] = { 1, __VERIFIER_nondet_uchar(), 3 };
  unsigned char b[3] = { 1, 128, 200 };
  int r = memcmp(a, b, 3);
  if (a[1] > 128 && r <= 0) reach_error();
  if (a[1] <= 128 && r >= 0) reach_error();
  if (memcmp(a, b, 1) != 0 || memcmp(a, b, 0) != 0) reach_error();
  if (memcmp(a, b, 2) == 0 && a[1] != 128) reach_error();
  return 0;
}
