//! unreach-call: true
//! valid-memsafety: true
// Three floats of a structure are passed as a pair and a single one.
#include <stdarg.h>
extern void reach_error(void);
struct triple { float v[3]; };
static int check(int n, ...) {
    va_list list;
    va_start(list, n);
    int first = va_arg(list, int);
    struct triple x = va_arg(list, struct triple);
    double d = va_arg(list, double);
    va_end(list);
    return first == 1 && x.v[0] == 2 && x.v[1] == 3 && x.v[2] == 4 && d == 5;
}
int main(void) {
    struct triple x = {{2, 3, 4}};
    if (!check(0, 1, x, 5.0f)) reach_error();
    return 0;
}
