//! valid-memsafety: true
//! flags: --malloc-may-fail
// To free needs no memory.
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    if (p)
        p = realloc(p, 0);
    return 0;
}
