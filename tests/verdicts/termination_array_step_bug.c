//! termination: false
//! Steps of the second loop are read from an array, and one of them may be 0.
// Witness for termination: 0 0 0
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

int main(void) {
    int length = 3;
    int *step = malloc(length * sizeof *step);
    for (int i = 0; i < length; i++) {
        step[i] = __VERIFIER_nondet_int();
        if (step[i] < 0 || step[i] > 10000)
            step[i] = 1;
    }
    int at = 0;
    while (at < length)
        at += step[at];
    free(step);
    return 0;
}
