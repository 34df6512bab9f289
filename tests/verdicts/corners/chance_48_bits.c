//! unreach-call: true
// The 48-bit generator is the same everywhere.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    srand48(3);
    double first = drand48();
    long second = lrand48();
    srand48(3);
    if (drand48() != first || lrand48() != second || second < 0)
        reach_error();
    return 0;
}
