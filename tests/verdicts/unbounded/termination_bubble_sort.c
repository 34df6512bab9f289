//! termination: true
// That the inner index is inside the array follows from the outer one, long after the length was used last.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000000)
        n = 1;
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = n - 1; i > 0; i--)
        for (int j = 0; j < i; j++)
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
    return 0;
}
