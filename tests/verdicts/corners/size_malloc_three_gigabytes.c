//! unreach-call: false
//! flags: --32
// More than PTRDIFF_MAX can't be had.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    if (!malloc(3000000000u))
        reach_error();
    return 0;
}
