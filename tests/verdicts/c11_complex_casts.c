//! unreach-call: true
//! valid-memsafety: true
// Casts between integers and pointers to arrays and to tables of functions.
#include <stdint.h>
extern void reach_error(void);

static int one(void) { return 1; }
static int two(void) { return 2; }
static int (*table[2])(void) = { one, two };
static unsigned char page[16];

int main(void) {
  uintptr_t raw = (uintptr_t)page;
  unsigned char (*whole)[16] = (unsigned char (*)[16])raw;
  (*whole)[3] = 9;
  if (page[3] != 9) reach_error();

  uintptr_t where = (uintptr_t)&table;
  int (*(*funs)[2])(void) = (int (*(*)[2])(void))where;
  if ((*funs)[0]() + (*funs)[1]() != 3) reach_error();

  unsigned char (*unused)[16];
  uintptr_t arbitrary;
  unused = (unsigned char (*)[16])arbitrary;
  if ((uintptr_t)unused != arbitrary) reach_error();
  return 0;
}
