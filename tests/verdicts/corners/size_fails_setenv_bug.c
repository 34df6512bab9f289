//! unreach-call: false
//! flags: --malloc-may-fail
// setenv allocates, so it may fail.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    if (setenv("NAME", "value", 1) != 0)
        reach_error();
    return 0;
}
