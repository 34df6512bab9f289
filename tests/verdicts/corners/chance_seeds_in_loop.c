//! unreach-call: true
// One place in the program may seed twice.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    int drawn[2];
    for (int i = 0; i < 2; i++) {
        srand(7);
        drawn[i] = rand();
    }
    if (drawn[0] != drawn[1])
        reach_error();
    return 0;
}
