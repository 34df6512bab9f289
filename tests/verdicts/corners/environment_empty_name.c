//! unreach-call: true
// No variable has an empty name.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    if (getenv("") != 0)
        reach_error();
    return 0;
}
