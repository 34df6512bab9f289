//! unreach-call: true
//! valid-memsafety: true
// A complex float is passed as two floats side by side.
#include <stdarg.h>
extern void reach_error(void);
static int check(int n, ...) {
    va_list list;
    va_start(list, n);
    _Complex float c = va_arg(list, _Complex float);
    int i = va_arg(list, int);
    va_end(list);
    return __real__ c == 1.5f && __imag__ c == -2.0f && i == 9;
}
int main(void) {
    _Complex float c;
    __real__ c = 1.5f;
    __imag__ c = -2.0f;
    if (!check(0, c, 9)) reach_error();
    return 0;
}
