//! unreach-call: true
//! valid-memsafety: true
// A realloc that fails leaves the old object as it was.
#include <stdlib.h>
#include <stdint.h>
extern void reach_error(void);
int main(void) {
    char *p = malloc(4);
    p[3] = 5;
    char *q = realloc(p, SIZE_MAX - 8);
    if (q != 0 || p[3] != 5)
        reach_error();
    free(p);
    return 0;
}
