//! unreach-call: false
// The alarm goes off some time.
#include <signal.h>
#include <unistd.h>
extern void reach_error(void);
void handle(int number) {
    reach_error();
}
int main(void) {
    signal(SIGALRM, handle);
    alarm(1);
    for (;;)
        ;
}
