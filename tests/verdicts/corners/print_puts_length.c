//! unreach-call: true
// puts tells how many characters it wrote, or that it failed.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int count = puts("abc");
    if (count != 4 && count != EOF)
        reach_error();
    return 0;
}
