//! unreach-call: false
// Output whose result nobody takes may fail, and errno tells.
#include <errno.h>
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    errno = 0;
    printf("%d\n", 5);
    if (errno != 0)
        reach_error();
    return 0;
}
