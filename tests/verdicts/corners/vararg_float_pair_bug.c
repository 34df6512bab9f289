//! unreach-call: false(unreach-call)
// The second float of a structure among variable arguments is the one that was passed.
// Witness for unreach-call: 3
#include <stdarg.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct pair { float a, b; };
static float second(int n, ...) {
    va_list list;
    va_start(list, n);
    struct pair x = va_arg(list, struct pair);
    va_end(list);
    return x.b;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 10) return 0;
    struct pair x = {0, (float)n};
    if (second(0, x) == 3.0f) reach_error();
    return 0;
}
