//! unreach-call: false
// With NDEBUG an assertion is gone, its side effects too.
#define NDEBUG
#include <assert.h>
extern void reach_error(void);

int main(void) {
  int x = 1;
  assert(++x == 5);
  if (x == 1) reach_error();
  return 0;
}
