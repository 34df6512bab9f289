//! dangling: false
// Witness for dangling: 1
// One side of a choice reads a pointer to a freed block.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int *p = malloc(4), *q;
    free(p);
    q = __VERIFIER_nondet_int() ? p : 0;
    return 0;
}
