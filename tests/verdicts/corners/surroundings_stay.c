//! unreach-call: true
// What the surroundings are does not change from call to call.
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    if (isatty(0) != isatty(0) || getpgrp() != getpgrp() || sysconf(_SC_OPEN_MAX) != sysconf(_SC_OPEN_MAX))
        reach_error();
    return 0;
}
