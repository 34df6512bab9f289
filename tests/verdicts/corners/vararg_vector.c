//! unreach-call: true
//! valid-memsafety: true
// A vector of small integers among variable arguments.
#include <stdarg.h>
extern void reach_error(void);
typedef short four __attribute__((vector_size(8)));
static int check(int n, ...) {
    va_list list;
    va_start(list, n);
    int i = va_arg(list, int);
    four v = va_arg(list, four);
    int j = va_arg(list, int);
    va_end(list);
    return i == 7 && v[0] == 1 && v[3] == 4 && j == 8;
}
int main(void) {
    four v = {1, 2, 3, 4};
    if (!check(0, 7, v, 8)) reach_error();
    return 0;
}
