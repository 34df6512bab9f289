//! unreach-call: true
// The functions for float are computed too.
#include <math.h>
extern void reach_error(void);
int main(void) {
    volatile float x = 27.0f, y = 3.0f, z = 4.0f;
    float c = cbrtf(x), h = hypotf(y, z), e = expf(1.0f);
    if (c < 2.9f || c > 3.1f || h != 5.0f || e < 2.7f || e > 2.8f)
        reach_error();
    return 0;
}
