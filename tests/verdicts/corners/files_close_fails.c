//! unreach-call: false
// close may say that what was written is lost.
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    if (close(1) == -1)
        reach_error();
    return 0;
}
