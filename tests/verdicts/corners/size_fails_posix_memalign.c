//! unreach-call: true
//! flags: --malloc-may-fail
// Where posix_memalign fails it says so, and the pointer stays what it was.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    void *p = 0;
    int result = posix_memalign(&p, 64, 100);
    if ((result == 0) != (p != 0))
        reach_error();
    free(p);
    return 0;
}
