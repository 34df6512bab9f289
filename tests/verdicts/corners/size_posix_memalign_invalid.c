//! unreach-call: true
// 24 is no power of two, and 4 is too small for a pointer: EINVAL.
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char c;
    void *p = &c;
    if (posix_memalign(&p, 24, 8) != EINVAL || posix_memalign(&p, 4, 8) != EINVAL || p != &c)
        reach_error();
    return 0;
}
