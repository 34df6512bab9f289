//! valid-memtrack: true
// The element that was written is read back before the array is cleared.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
static void *kept[3];
static void *last;
int main(void) {
    unsigned at = __VERIFIER_nondet_uint() % 3;
    kept[at] = malloc(4);
    last = kept[at];
    kept[0] = kept[1] = kept[2] = 0;
    return 0;
}
