//! valid-memsafety: false(valid-deref)
//! flags: --malloc-may-fail
// strndup allocates, so it may fail.
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *p = strndup("abcdef", 3);
    p[0] = 'x';
    free(p);
    return 0;
}
