//! unreach-call: false
// A small object may lie in the middle of where a larger one was.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *big = malloc(256);
    uintptr_t from = (uintptr_t)big;
    free(big);
    char *small = malloc(8);
    if ((uintptr_t)small == from + 64)
        reach_error();
    free(small);
    return 0;
}
