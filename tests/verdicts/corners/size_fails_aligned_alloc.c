//! valid-memsafety: true
//! flags: --malloc-may-fail
// Checked, aligned_alloc may fail.
#include <stdlib.h>
int main(void) {
    int *p = aligned_alloc(32, 32);
    if (p == 0)
        return 0;
    p[7] = 1;
    free(p);
    return 0;
}
