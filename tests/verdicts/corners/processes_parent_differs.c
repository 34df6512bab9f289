//! unreach-call: true
// Nobody is his own parent.
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    if (getppid() == getpid())
        reach_error();
    return 0;
}
