//! unreach-call: true
// glibc keeps two signals for itself.
#include <errno.h>
#include <signal.h>
extern void reach_error(void);
static void handle(int number) { reach_error(); }
int main(void) {
    sigset_t set;
    sigemptyset(&set);
    if (signal(32, handle) != SIG_ERR || errno != EINVAL || sigaddset(&set, 33) != -1 || raise(32) == 0)
        reach_error();
    if (signal(34, handle) == SIG_ERR)
        reach_error();
    return 0;
}
