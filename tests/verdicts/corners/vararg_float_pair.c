//! unreach-call: true
//! valid-memsafety: true
// Two floats of a structure are one variable argument of eight bytes; what follows it is found behind it.
#include <stdarg.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct pair { float a, b; };
static float second(int n, ...) {
    va_list list;
    va_start(list, n);
    struct pair x = va_arg(list, struct pair);
    int i = va_arg(list, int);
    va_end(list);
    return i == n ? x.b : 0;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    struct pair x = {1.5f, 2.5f};
    if (second(n, x, n) != 2.5f) reach_error();
    return 0;
}
