//! valid-memtrack: true
// A pointer in an array is kept where later writes go to other elements.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
static void *kept[3];
int main(void) {
    kept[__VERIFIER_nondet_uint() % 2] = malloc(4);
    kept[2] = 0;
    return 0;
}
