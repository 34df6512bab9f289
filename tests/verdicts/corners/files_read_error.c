//! unreach-call: false
// Reading may end because the device is broken.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    if (getchar() == EOF && ferror(stdin))
        reach_error();
    return 0;
}
