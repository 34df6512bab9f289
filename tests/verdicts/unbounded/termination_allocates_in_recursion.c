//! termination: true
// Each call passes a smaller number on, in an object that it allocates for it.
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

static int down(int *p) {
    if (*p < 0)
        return 0;
    int *next = malloc(sizeof *next);
    *next = *p - 1;
    int result = down(next);
    free(next);
    return result;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    return down(&n);
}
