//! unreach-call: true
// There are three ways to buffer.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    if (setvbuf(stdout, 0, 99, 0) == 0 || setvbuf(stdout, 0, _IONBF, 0) != 0)
        reach_error();
    return 0;
}
