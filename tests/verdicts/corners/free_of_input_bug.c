//! valid-memsafety: false(valid-free)
// Some numbers are addresses of nothing.
#include <stdlib.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
    char *p = (char *)__VERIFIER_nondet_ulong();
    free(p);
    return 0;
}
