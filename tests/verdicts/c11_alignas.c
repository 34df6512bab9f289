//! unreach-call: true
//! valid-memsafety: true
// _Alignas raises the alignment of variables and members, and with it the size of the struct.
#include <stdint.h>
extern void reach_error(void);

struct wide { char c; _Alignas(16) char d; };
static _Alignas(64) char buffer[3];

int main(void) {
  _Alignas(32) char local = 1;
  struct wide w = { 1, 2 };
  if (sizeof(struct wide) != 32 || _Alignof(struct wide) != 16) reach_error();
  if ((uintptr_t)buffer % 64 != 0) reach_error();
  if ((uintptr_t)&local % 32 != 0) reach_error();
  if ((uintptr_t)&w.d % 16 != 0 || &w.d - &w.c != 16) reach_error();
  return local - 1;
}
