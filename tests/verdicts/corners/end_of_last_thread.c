//! unreach-call: true
// Handlers wait for the last thread, and one that main's own end would skip runs, too.
#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
static int done;
static void at_end(void) {
    if (!done)
        reach_error();
}
static void *work(void *argument) {
    done = 1;
    pthread_exit(0);
}
int main(void) {
    pthread_t worker;
    atexit(at_end);
    pthread_create(&worker, 0, work, 0);
    pthread_exit(0);
}
