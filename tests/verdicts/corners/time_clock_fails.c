//! unreach-call: false
// The processor's time may not be known.
#include <time.h>
extern void reach_error(void);
int main(void) {
    if (clock() == (clock_t)-1)
        reach_error();
    return 0;
}
