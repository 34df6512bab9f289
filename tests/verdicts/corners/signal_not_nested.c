//! unreach-call: true
// A signal waits while its own handler runs.
#include <signal.h>
extern void reach_error(void);
int count, is_inside;
void handle(int number) {
    if (is_inside)
        reach_error();
    is_inside = 1;
    if (count++ < 2)
        raise(SIGUSR1);
    is_inside = 0;
}
int main(void) {
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    if (count != 3)
        reach_error();
    return 0;
}
