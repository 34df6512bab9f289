//! valid-memsafety: true
//! unreach-call: true
// Arguments of 16 bytes stand at aligned places.
#include <stdarg.h>
extern void reach_error(void);
static __int128 sum(int n, ...) {
    va_list l;
    va_start(l, n);
    __int128 s = 0;
    for (int i = 0; i < n; i++) {
        s += va_arg(l, int);
        s += va_arg(l, __int128);
    }
    long double d = va_arg(l, long double);
    va_end(l);
    return s + (int)d;
}
int main(void) {
    if (sum(2, 1, (__int128)2, 3, (__int128)4, 5.0L) != 15)
        reach_error();
    return 0;
}
