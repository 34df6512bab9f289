//! unreach-call: false
// Bits of an address beyond its alignment may be anything.
#include <stdint.h>
extern void reach_error(void);
long words[4];
int main(void) {
    if (((uintptr_t)&words[1] >> 4 & 3) == 2)
        reach_error();
    return 0;
}
