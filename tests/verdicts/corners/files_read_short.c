//! unreach-call: true
// A short read leaves the rest of the buffer alone.
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    char buffer[4] = {0};
    int got = read(0, buffer, 4);
    if (got < -1 || got > 4 || (got <= 0 && buffer[0]) || (got == 2 && buffer[3]))
        reach_error();
    return 0;
}
