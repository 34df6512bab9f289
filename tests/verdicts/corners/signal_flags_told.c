//! unreach-call: true
// signal asks for calls to be restarted, and for its own signal to wait.
#include <signal.h>
extern void reach_error(void);
static void handle(int number) {}
int main(void) {
    struct sigaction told;
    signal(SIGINT, handle);
    sigaction(SIGINT, 0, &told);
    if ((told.sa_flags & SA_RESTART) == 0 || !sigismember(&told.sa_mask, SIGINT) || sigismember(&told.sa_mask, SIGHUP))
        reach_error();
    return 0;
}
