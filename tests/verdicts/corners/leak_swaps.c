//! valid-memtrack: true
// Elements that inputs choose change places: every block is still somewhere, in however many ways that may be.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
static int *kept[20];
int main(void) {
    for (int i = 0; i < 20; i++)
        kept[i] = malloc(sizeof(int));
    for (int round = 0; round < 3; round++) {
        unsigned one = __VERIFIER_nondet_uint() % 20, other = __VERIFIER_nondet_uint() % 20;
        int *between = kept[one];
        kept[one] = kept[other];
        kept[other] = between;
    }
    return 0;
}
