//! unreach-call: false
// kill may mean the program itself.
#include <signal.h>
#include <unistd.h>
extern void reach_error(void);
void handle(int number) {
    reach_error();
}
int main(void) {
    signal(SIGUSR1, handle);
    kill(getpid(), SIGUSR1);
    return 0;
}
