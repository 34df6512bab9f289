//! unreach-call: true
//! valid-memsafety: true
// A product that overflows is no small allocation: calloc gives null.
#include <stdlib.h>
#include <stdint.h>
extern void reach_error(void);
int main(void) {
    void *p = calloc(SIZE_MAX / 2, 4);
    if (p != 0)
        reach_error();
    free(p);
    return 0;
}
