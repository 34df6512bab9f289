//! unreach-call: true
//! valid-memsafety: true
// Doubles, pointers, long longs and structs of several sizes through an ellipsis.
#include <stdarg.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

struct pair { int a, b; };
struct big { long n[4]; };

static void check(const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  for (; *format; format++)
    switch (*format) {
    case 'i': if (va_arg(ap, int) != 5) reach_error(); break;
    case 'd': if (va_arg(ap, double) != 2.5) reach_error(); break;
    case 'p': if (*va_arg(ap, int *) != 9) reach_error(); break;
    case 'q': if (va_arg(ap, long long) != 1LL << 40) reach_error(); break;
    case 's': if (va_arg(ap, struct pair).b != 4) reach_error(); break;
    case 'B': if (va_arg(ap, struct big).n[3] != 8) reach_error(); break;
    }
  va_end(ap);
}

int main(void) {
  int nine = 9;
  struct pair s = { 3, 4 };
  struct big b = { { 1, 2, 4, 8 } };
  check("idpqsBi", 5, 2.5, &nine, 1LL << 40, s, b, 5);
  check("dddddddddd", 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5f, 2.5, 2.5);
  double x = __VERIFIER_nondet_double();
  if (x == 2.5) check("d", x);
  return 0;
}
