//! valid-memsafety: true
// Whoever checks for null is safe for every size.
#include <stdlib.h>
extern long __VERIFIER_nondet_long(void);
int main(void) {
    long n = __VERIFIER_nondet_long();
    char *p = malloc(n);
    if (p == 0)
        return 0;
    if (n > 4)
        p[4] = 1;
    free(p);
    return 0;
}
