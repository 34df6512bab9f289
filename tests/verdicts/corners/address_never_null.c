//! unreach-call: true
// No object lies at null, at small numbers or at the end of the address space.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int g;
int main(void) {
    int l;
    char *h = malloc(1);
    if (&g == 0 || &l == 0 || h == 0 || h == (char *)1 || &l == (int *)-1 || (uintptr_t)&g < 16)
        reach_error();
    free(h);
    return 0;
}
