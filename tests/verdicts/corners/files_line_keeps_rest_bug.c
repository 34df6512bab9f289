//! unreach-call: false
// A short line leaves the end of the buffer as it was.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char line[8];
    line[7] = 'x';
    if (fgets(line, 8, stdin) && line[7] == 'x')
        reach_error();
    return 0;
}
