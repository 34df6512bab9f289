//! unreach-call: true
//! no-overflow: true
// Atomic loads, stores, read-modify-write and compare-and-exchange; atomic arithmetic wraps.
#include <stdatomic.h>
#include <limits.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static atomic_int counter = 5;
static _Atomic unsigned char small = 255;

int main(void) {
  int old = atomic_fetch_add(&counter, 3);
  if (old != 5 || atomic_load(&counter) != 8) reach_error();
  small += 1;
  if (small != 0) reach_error();

  int x = __VERIFIER_nondet_int();
  int expected = x;
  _Bool done = atomic_compare_exchange_strong(&counter, &expected, 100);
  if (done != (x == 8)) reach_error();
  if (expected != 8) reach_error();
  if (counter != (x == 8 ? 100 : 8)) reach_error();

  atomic_store(&counter, INT_MAX);
  atomic_fetch_add(&counter, 1);
  if (counter != INT_MIN) reach_error();
  if (atomic_exchange(&counter, 1) != INT_MIN || counter != 1) reach_error();
  if (atomic_fetch_or(&counter, 6) != 1 || atomic_fetch_xor(&counter, 5) != 7 || counter != 2) reach_error();
  return 0;
}
