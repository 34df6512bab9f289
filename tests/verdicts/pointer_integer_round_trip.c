//! unreach-call: true
//! valid-memsafety: true
// A pointer survives the way through an integer, also with a tag in its low bit.
#include <stdint.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  long cell = 3;
  uintptr_t bits = (uintptr_t)&cell;
  if (bits == 0 || bits % sizeof cell != 0) reach_error();
  int tag = __VERIFIER_nondet_int() & 1;
  bits |= (uintptr_t)tag;
  if ((int)(bits & 1) != tag) reach_error();
  long *p = (long *)(bits & ~(uintptr_t)1);
  *p += 1;
  if (cell != 4 || p != &cell) reach_error();
  return 0;
}
