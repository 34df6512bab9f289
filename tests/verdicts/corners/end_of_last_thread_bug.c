//! unreach-call: false
// main ends its thread only: the program ends with the last thread, and then handlers run.
#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
static int done;
static void at_end(void) {
    if (done)
        reach_error();
}
static void *work(void *argument) {
    done = 1;
    return 0;
}
int main(void) {
    pthread_t worker;
    atexit(at_end);
    pthread_create(&worker, 0, work, 0);
    pthread_exit(0);
}
