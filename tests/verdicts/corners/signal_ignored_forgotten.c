//! unreach-call: true
// A signal that waits is forgotten when it is ignored.
#include <signal.h>
extern void reach_error(void);
static void handle(int number) { reach_error(); }
int main(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, 0);
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    signal(SIGUSR1, SIG_IGN);
    signal(SIGUSR1, handle);
    sigprocmask(SIG_UNBLOCK, &set, 0);
    return 0;
}
