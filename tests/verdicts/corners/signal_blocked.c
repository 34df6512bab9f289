//! unreach-call: true
// A blocked signal waits, once, until it is unblocked.
#include <signal.h>
extern void reach_error(void);
int count;
void handle(int number) {
    count++;
}
int main(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    signal(SIGUSR1, handle);
    sigprocmask(SIG_BLOCK, &set, 0);
    raise(SIGUSR1);
    raise(SIGUSR1);
    if (count != 0)
        reach_error();
    sigprocmask(SIG_UNBLOCK, &set, 0);
    if (count != 1)
        reach_error();
    return 0;
}
