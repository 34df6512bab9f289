//! unreach-call: true
// An alignment that is an input: an error, or an address that is a multiple of it.
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    void *p = 0;
    unsigned align = __VERIFIER_nondet_uint();
    if (align > 64)
        return 0;
    int result = posix_memalign(&p, align, 8);
    if (result != 0 && result != EINVAL)
        reach_error();
    if (result == 0 && (align < sizeof p || (align & (align - 1)) != 0 || (unsigned long)p % align != 0))
        reach_error();
    free(p);
    return 0;
}
