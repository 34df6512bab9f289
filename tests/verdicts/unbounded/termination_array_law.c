//! termination: true
//! Steps of the second loop are read from an array of which every element is at least 1.
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

int main(void) {
    int length = __VERIFIER_nondet_int();
    if (length < 1 || length > 10000)
        return 0;
    int *step = malloc(length * sizeof *step);
    for (int i = 0; i < length; i++) {
        step[i] = __VERIFIER_nondet_int();
        if (step[i] < 1 || step[i] > 10000)
            step[i] = 1;
    }
    int at = 0;
    while (at < length)
        at += step[at];
    free(step);
    return 0;
}
