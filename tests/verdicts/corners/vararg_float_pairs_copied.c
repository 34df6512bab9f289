//! unreach-call: true
//! valid-memsafety: true
// A copied list reads the same pairs of floats once more.
#include <stdarg.h>
extern void reach_error(void);
struct inner { float x; };
struct pair { struct inner a; float b; };
static int check(int n, ...) {
    va_list list, again;
    va_start(list, n);
    va_copy(again, list);
    struct pair x = va_arg(list, struct pair), y = va_arg(list, struct pair);
    struct pair z = va_arg(again, struct pair);
    va_end(list);
    va_end(again);
    return x.a.x == 1 && x.b == 2 && y.a.x == 3 && y.b == 4 && z.b == 2;
}
int main(void) {
    struct pair x = {{1}, 2}, y = {{3}, 4};
    if (!check(0, x, y)) reach_error();
    return 0;
}
