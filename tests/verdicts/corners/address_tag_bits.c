//! unreach-call: true
// Alignment leaves bits for tags: set, read and cleared they give the pointer back.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    int *p = malloc(sizeof(int));
    *p = 7;
    uintptr_t tagged = (uintptr_t)p | 1;
    if ((tagged & 3) != 1 || (tagged ^ 1) != (uintptr_t)p)
        reach_error();
    int *q = (int *)(tagged & ~(uintptr_t)3);
    if (q != p || *q != 7)
        reach_error();
    free(p);
    return 0;
}
