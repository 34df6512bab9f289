//! unreach-call: true
// Who does not seed has the numbers of seed 1.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    int first = rand();
    srand(1);
    if (rand() != first)
        reach_error();
    return 0;
}
