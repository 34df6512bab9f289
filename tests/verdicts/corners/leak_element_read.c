//! valid-memtrack: false
// What is read from an array is one element, not every pointer in it.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
static void *kept[3];
static void *last;
int main(void) {
    unsigned written = __VERIFIER_nondet_uint() % 3, read = __VERIFIER_nondet_uint() % 3;
    kept[written] = malloc(4);
    last = kept[read];
    kept[0] = kept[1] = kept[2] = 0;
    return 0;
}
