//! valid-memsafety: false(valid-deref)
// Enough elements make calloc fail.
// Witness for valid-memsafety: -1
#include <stdlib.h>
extern long __VERIFIER_nondet_long(void);
int main(void) {
    long n = __VERIFIER_nondet_long();
    int *p = calloc(n, sizeof(int));
    if (n > 0 || n == -1)
        p[0] = 1;
    free(p);
    return 0;
}
