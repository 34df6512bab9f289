//! termination: true
//! An array of any length, filled and then summed.
#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint() & 65535, sum = 0;
    unsigned *all = malloc((n + 1) * sizeof *all);
    for (unsigned i = 0; i < n; i++)
        all[i] = i;
    for (unsigned i = 0; i < n; i++)
        sum += all[i];
    free(all);
    return 0;
}
