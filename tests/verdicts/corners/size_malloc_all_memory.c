//! unreach-call: false
//! flags: --32
// Five gigabytes do not fit into an address space of four.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    int failed = 0;
    for (int i = 0; i < 5; i++)
        if (malloc(1u << 30) == 0)
            failed = 1;
    if (failed)
        reach_error();
    return 0;
}
