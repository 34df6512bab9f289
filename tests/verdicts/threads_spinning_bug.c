//! unreach-call: false
//! The first thread spins for ever behind its store; the other one must still be seen to run.
#include <pthread.h>
void reach_error(void);

int flag;

void *watch(void *argument) {
    if (flag == 1)
        reach_error();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, watch, 0);
    flag = 1;
    while (1)
        ;
}
