//! no-overflow: false
// Witness for no-overflow: -2147483648
// The absolute value of INT_MIN is none; no sanitizer looks into the C library, so a native run shows nothing.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    return abs(x) > 3;
}
