//! unreach-call: true
// The C library of the machine says what a cube root is: that of 27 is 3 or a little more.
#include <math.h>
extern void reach_error(void);
int main(void) {
    if (cbrt(8.0) != 2.0 || cbrt(-64.0) != -4.0 || cbrt(27.0) < 3.0 || cbrt(27.0) > 3.0000001)
        reach_error();
    return 0;
}
