//! unreach-call: true
// The same seed gives the same numbers, which are never negative.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    srand(3);
    int a = rand(), b = rand();
    srand(3);
    if (rand() != a || rand() != b || a < 0 || b < 0)
        reach_error();
    srandom(4);
    if (random() > 2147483647L)
        reach_error();
    return 0;
}
