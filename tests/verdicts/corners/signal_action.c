//! unreach-call: false
// A handler that sigaction installs runs when the program raises its signal.
#include <signal.h>
#include <string.h>
extern void reach_error(void);
void handle(int number) {
    reach_error();
}
int main(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    sigaction(SIGUSR1, &action, 0);
    raise(SIGUSR1);
    return 0;
}
