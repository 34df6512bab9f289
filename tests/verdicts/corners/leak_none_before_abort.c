//! valid-memsafety: true
// abort does not lose what variables point to.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int *p = malloc(sizeof(int));
    *p = __VERIFIER_nondet_int();
    if (*p < 0)
        abort();
    free(p);
    return 0;
}
