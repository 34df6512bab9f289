//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// va_copy continues from where the list was; a list is handed to another function.
#include <stdarg.h>
extern void reach_error(void);

static int total(int n, va_list ap) {
  int sum = 0;
  while (n-- > 0) sum += va_arg(ap, int);
  return sum;
}

static int twice(int n, ...) {
  va_list ap, again;
  va_start(ap, n);
  int first = va_arg(ap, int);
  va_copy(again, ap);
  int a = total(n - 1, ap), b = total(n - 1, again);
  va_end(again);
  va_end(ap);
  return a == b ? first + a : -1;
}

int main(void) {
  if (twice(3, 1, 2, 3) != 6) reach_error();
  if (twice(8, 1, 2, 3, 4, 5, 6, 7, 8) != 36) reach_error();
  return 0;
}
