//! unreach-call: true
// An alignment that is an input holds for the address.
#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned align = __VERIFIER_nondet_uint();
    if (align != 32 && align != 64)
        return 0;
    void *p = aligned_alloc(align, 2 * align);
    if ((unsigned long)p % align != 0)
        reach_error();
    free(p);
    return 0;
}
