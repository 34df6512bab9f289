//! alignment: true
//! unreach-call: true
// aligned_alloc, of which clang promises the alignment, keeps that promise, and so does null.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *p = aligned_alloc(64, 128);
    if ((unsigned long)p % 64 != 0)
        reach_error();
    char *q = __builtin_assume_aligned(p + 32, 64, 32);
    if (q != p + 32)
        reach_error();
    free(p);
    return 0;
}
