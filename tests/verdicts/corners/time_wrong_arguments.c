//! unreach-call: true
// There is no such clock, no such time to wait, and no such alignment.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <time.h>
extern void reach_error(void);
int main(void) {
    struct timespec t, wrong = {0, -1};
    errno = 0;
    if (clock_gettime(77, &t) != -1 || errno != EINVAL)
        reach_error();
    if (clock_gettime(CLOCK_MONOTONIC, &t) != 0)
        reach_error();
    errno = 0;
    if (nanosleep(&wrong, 0) != -1 || errno != EINVAL)
        reach_error();
    void *p = 0;
    if (posix_memalign(&p, 24, 8) != EINVAL || p)
        reach_error();
    return 0;
}
