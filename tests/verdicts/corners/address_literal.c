//! unreach-call: false
// An object may lie at any aligned number.
#include <stdint.h>
extern void reach_error(void);
static int g;
int main(void) {
    if ((uintptr_t)&g == 0x10000)
        reach_error();
    return 0;
}
