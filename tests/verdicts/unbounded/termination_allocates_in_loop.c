//! termination: true
// Each round puts a smaller number into a new object: however many there are, writing to it leaves the old one alone.
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

int main(void) {
    int *p = malloc(sizeof *p);
    *p = __VERIFIER_nondet_int();
    while (*p > 0) {
        int *next = malloc(sizeof *next);
        *next = *p - 1;
        free(p);
        p = next;
    }
    free(p);
    return 0;
}
