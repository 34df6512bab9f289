//! valid-memtrack: false
// A pointer in an array is lost where a later write goes to the same element.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
static void *kept[3];
int main(void) {
    kept[__VERIFIER_nondet_uint() % 3] = malloc(4);
    kept[2] = 0;
    return 0;
}
