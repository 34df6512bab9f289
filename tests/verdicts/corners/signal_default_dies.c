//! unreach-call: true
// Who dies of SIGTERM runs neither the handler of SIGABRT nor those of atexit.
#include <signal.h>
#include <stdlib.h>
extern void reach_error(void);
void handle(int number) {
    reach_error();
}
void leave(void) {
    reach_error();
}
int main(void) {
    atexit(leave);
    signal(SIGABRT, handle);
    raise(SIGTERM);
    reach_error();
    return 0;
}
