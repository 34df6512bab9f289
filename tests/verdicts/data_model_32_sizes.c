//! unreach-call: true
//! no-overflow: true
//! flags: --32
// Sizes, alignments and types under ILP32 (System V i386).
#include <stddef.h>
#include <stdint.h>
extern void reach_error(void);

struct mixed { char c; double d; };
struct pointers { char c; void *p; long l; };

int main(void) {
  if (sizeof(int) != 4 || sizeof(long) != 4 || sizeof(long long) != 8) reach_error();
  if (sizeof(void *) != 4 || sizeof(size_t) != 4 || sizeof(ptrdiff_t) != 4) reach_error();
  if (sizeof(long double) != 12) reach_error();
  if (sizeof(struct mixed) != 12 || offsetof(struct mixed, d) != 4) reach_error();
  if (sizeof(struct pointers) != 12) reach_error();
  if (sizeof(2147483648) != 8) reach_error();
  if (-1L < 1u) reach_error();
  return 0;
}
