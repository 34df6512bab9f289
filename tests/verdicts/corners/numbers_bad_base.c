//! unreach-call: true
// The GNU C library does not tell the end where the base is none.
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *end = 0;
    errno = 0;
    if (strtol("12", &end, 37) != 0 || errno != EINVAL || end != 0)
        reach_error();
    return 0;
}
