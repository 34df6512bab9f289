//! unreach-call: false
// A device that was full may have room again.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    if (putchar('a') == EOF && putchar('b') == 'b')
        reach_error();
    return 0;
}
