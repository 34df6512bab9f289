//! unreach-call: true
//! valid-memsafety: true
// A comparison leaves the library's sorting.
#include <setjmp.h>
#include <stdlib.h>
extern void reach_error(void);

static jmp_buf place;
static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  if (x == 0 || y == 0) longjmp(place, 3);
  return x < y ? -1 : x > y;
}

int main(void) {
  int good[3] = { 3, 1, 2 }, bad[3] = { 2, 0, 1 };
  if (setjmp(place)) return 0;
  qsort(good, 3, sizeof good[0], compare);
  if (good[0] != 1 || good[2] != 3) reach_error();
  qsort(bad, 3, sizeof bad[0], compare);
  reach_error();
}
