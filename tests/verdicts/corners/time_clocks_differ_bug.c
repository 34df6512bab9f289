//! unreach-call: false
// One clock counts from 1970, the other from the start of the machine.
#include <time.h>
extern void reach_error(void);
int main(void) {
    struct timespec since_start;
    time_t now = time(0);
    clock_gettime(CLOCK_MONOTONIC, &since_start);
    if (since_start.tv_sec < now)
        reach_error();
    return 0;
}
