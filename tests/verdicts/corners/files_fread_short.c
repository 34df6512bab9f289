//! unreach-call: true
// fread leaves alone what is behind the elements that it read.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char buffer[4] = {0};
    size_t got = fread(buffer, 1, 4, stdin);
    if (got > 4 || (got == 1 && buffer[2]))
        reach_error();
    return 0;
}
