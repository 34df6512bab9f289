//! unreach-call: false
// The processor sets the sign of a new NaN, a compiler that folds the division clears it: C promises nothing.
#include <string.h>
extern void reach_error(void);
int main(void) {
    float zero = 0.0f, nan = zero / zero;
    int bits;
    memcpy(&bits, &nan, sizeof bits);
    if (bits > 0)
        reach_error();
    return 0;
}
