//! unreach-call: true
// A mode that is none, and places for a line that are none.
#include <errno.h>
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    size_t room;
    if (getline(0, &room, stdin) != -1 || errno != EINVAL)
        reach_error();
    errno = 0;
    if (freopen("some", "z", stdin) != 0 || errno != EINVAL)
        reach_error();
    return 0;
}
