//! unreach-call: false
// The allocator need not give the same address again either.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *p = malloc(16);
    uintptr_t old = (uintptr_t)p;
    free(p);
    char *q = malloc(16);
    if ((uintptr_t)q != old)
        reach_error();
    free(q);
    return 0;
}
