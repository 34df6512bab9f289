//! unreach-call: false
//! flags: --32
// With 32 bits the stack may lie in the upper half.
#include <stdint.h>
extern void reach_error(void);
int main(void) {
    int local;
    if ((intptr_t)&local < 0)
        reach_error();
    return 0;
}
