//! unreach-call: false
// Two calls may have their locals at the same place.
#include <stdint.h>
extern void reach_error(void);
static uintptr_t where(void) {
    int local;
    return (uintptr_t)&local;
}
int main(void) {
    uintptr_t one = where(), two = where();
    if (one == two)
        reach_error();
    return 0;
}
