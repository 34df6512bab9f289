//! unreach-call: true
// Whichever NaN arithmetic makes, copies of it are the same one.
#include <string.h>
extern void reach_error(void);
int main(void) {
    float zero = 0.0f, nan = zero / zero, copy = nan;
    if (memcmp(&copy, &nan, sizeof nan))
        reach_error();
    return 0;
}
