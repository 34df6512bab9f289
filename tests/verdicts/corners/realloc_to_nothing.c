//! unreach-call: false
//! valid-memsafety: true
// The GNU C library frees and gives null.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *p = malloc(4);
    size_t n = 4;
    while (n > 0)
        n /= 2;
    char *q = realloc(p, n);
    if (q == 0)
        reach_error();
    free(q);
    return 0;
}
