//! unreach-call: false
// More than four gigabytes are no special case.
#include <stdlib.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);
int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n < 5000000000ul || n > 6000000000ul)
        return 0;
    char *p = malloc(n);
    if (p == 0)
        return 0;
    p[n - 1] = 1;
    if (p[n - 1] == 1)
        reach_error();
    free(p);
    return 0;
}
