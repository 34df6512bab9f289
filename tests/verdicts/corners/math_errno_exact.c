//! unreach-call: true
// errno of functions that are exact, as glibc sets it.
#include <errno.h>
#include <math.h>
extern void reach_error(void);
static void expect(int code) {
  if (errno != code) reach_error();
  errno = 0;
}
int main(void) {
  double largest = 0x1.fffffffffffffp1023, smallest = 0x1p-1022;
  expect(0);
  ldexp(1.0, 2000), expect(ERANGE);
  ldexp(1.0, -2000), expect(ERANGE);
  ldexp(1.0, -1074), expect(0);
  ldexp(INFINITY, 3), expect(0);
  scalbn(0.0, -9), expect(0);
  scalblnf(1.0f, -300), expect(ERANGE);
  nextafter(largest, INFINITY), expect(ERANGE);
  nextafter(smallest, 0.0), expect(ERANGE);
  nextafter(smallest, 1.0), expect(0);
  nextafter(0.0, 1.0), expect(0);
  fdim(largest, -largest), expect(ERANGE);
  fdim(INFINITY, 0.0), expect(0);
  ilogb(0.0), expect(EDOM);
  ilogb(8.0), expect(0);
  logb(0.0), expect(0);
  return 0;
}
