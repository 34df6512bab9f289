//! valid-memtrack: false
// memset clears two of three elements.
#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
static void *kept[3];
int main(void) {
    kept[__VERIFIER_nondet_uint() % 3] = malloc(4);
    memset(kept, 0, 2 * sizeof *kept);
    return 0;
}
