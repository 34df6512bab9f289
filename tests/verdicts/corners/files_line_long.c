//! unreach-call: true
// A line that fills the buffer ends with a null character there.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char line[4];
    line[3] = 'x';
    if (fgets(line, 4, stdin) && line[0] && line[1] && line[2] && line[3])
        reach_error();
    return 0;
}
