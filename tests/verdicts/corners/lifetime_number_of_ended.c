//! unreach-call: false
// The address of a local is some number, also where the number is returned and the local has ended.
#include <stdint.h>
extern void reach_error(void);
static int is_high(void) {
    int x;
    return ((uintptr_t)&x >> 1) != 0;
}
int main(void) {
    if (is_high())
        reach_error();
    return 0;
}
