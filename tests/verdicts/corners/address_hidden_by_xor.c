//! unreach-call: true
// A pointer that was hidden by another one's address comes out again in every layout.
#include <stdint.h>
extern void reach_error(void);
int main(void) {
    int a = 1, b = 2;
    uintptr_t both = (uintptr_t)&a ^ (uintptr_t)&b;
    int *p = (int *)(both ^ (uintptr_t)&a);
    if (*p != 2)
        reach_error();
    return 0;
}
