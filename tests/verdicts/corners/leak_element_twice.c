//! valid-memtrack: false
// Two pointers are written to elements that may be the same.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
static void *kept[3];
int main(void) {
    unsigned first = __VERIFIER_nondet_uint() % 3, second = __VERIFIER_nondet_uint() % 3;
    kept[first] = malloc(4);
    kept[second] = malloc(4);
    return 0;
}
