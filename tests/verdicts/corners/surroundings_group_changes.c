//! unreach-call: false
// setpgid moves the process to another group.
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    int before = getpgrp();
    setpgid(0, 0);
    if (getpgrp() != before)
        reach_error();
    return 0;
}
