//! unreach-call: false
// Output may fail: the device is full.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    if (puts("hello") == EOF)
        reach_error();
    return 0;
}
