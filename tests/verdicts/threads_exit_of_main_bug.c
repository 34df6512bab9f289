//! unreach-call: false
//! pthread_exit in main leaves the other threads alone; a return would end them.
#include <pthread.h>
void reach_error(void);

int ended;

void *wait(void *argument) {
    while (!ended)
        ;
    reach_error();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, wait, 0);
    ended = 1;
    pthread_exit(0);
}
