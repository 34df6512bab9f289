//! unreach-call: true
//! flags: --malloc-may-fail
// valloc gives whole pages.
#include <stdlib.h>
extern void *valloc(size_t);
extern void reach_error(void);
int main(void) {
    if ((unsigned long)valloc(3) % 4096 != 0)
        reach_error();
    return 0;
}
