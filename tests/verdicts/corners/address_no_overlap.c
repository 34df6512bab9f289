//! unreach-call: true
// Two objects of eight bytes that live together are at least eight bytes apart.
#include <stdint.h>
extern void reach_error(void);
long a, b;
int main(void) {
    intptr_t distance = (intptr_t)&a - (intptr_t)&b;
    if (distance > -8 && distance < 8)
        reach_error();
    return 0;
}
