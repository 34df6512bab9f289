//! unreach-call: false
// A negative size is a huge one: malloc gives null.
// Witness for unreach-call: -1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 100)
        return 0;
    char *p = malloc(n);
    if (p == 0)
        reach_error();
    free(p);
    return 0;
}
