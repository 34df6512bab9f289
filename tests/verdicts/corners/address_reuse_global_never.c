//! unreach-call: true
// A global lives for ever: nothing that is made later lies on it.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
static char g[32];
int main(void) {
    char *p = malloc(16);
    uintptr_t old = (uintptr_t)p;
    free(p);
    char *q = malloc(16);
    if (old == (uintptr_t)&g[4] || q == g || q == &g[31])
        reach_error();
    free(q);
    return 0;
}
