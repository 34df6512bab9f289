//! unreach-call: true
// abort ends the program also if the handler returns.
#include <signal.h>
#include <stdlib.h>
extern void reach_error(void);
static void on_abort(int number) { (void)number; }
int main(void) {
    signal(SIGABRT, on_abort);
    abort();
    reach_error();
    return 0;
}
