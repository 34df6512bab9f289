//! unreach-call: true
// %n stores the number of characters so far.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int n = -1;
    printf("abc%d%n\n", 12, &n);
    if (n != 5)
        reach_error();
    return 0;
}
