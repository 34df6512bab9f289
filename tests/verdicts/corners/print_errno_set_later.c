//! unreach-call: true
// What printing left in errno is gone once the program writes there.
#include <errno.h>
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    printf("%d\n", 5);
    errno = 0;
    if (errno != 0)
        reach_error();
    return 0;
}
