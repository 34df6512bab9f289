//! unreach-call: false
// The distance of two globals is not known, only that they do not overlap.
#include <stdint.h>
extern void reach_error(void);
int a, b;
int main(void) {
    if ((intptr_t)&a - (intptr_t)&b == 64)
        reach_error();
    return 0;
}
