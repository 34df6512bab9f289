//! unreach-call: false
// Witness for unreach-call: 32
// No more than the alignment that was asked for is promised.
#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned align = __VERIFIER_nondet_uint();
    if (align != 32 && align != 64)
        return 0;
    void *p = aligned_alloc(align, 2 * align);
    if ((unsigned long)p % 64 != 0)
        reach_error();
    free(p);
    return 0;
}
