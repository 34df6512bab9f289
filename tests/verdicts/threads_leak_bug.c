//! unreach-call: true
//! valid-memsafety: false(valid-memtrack)
//! A thread ends without freeing its memory, and nobody knows where it is.
#include <pthread.h>
#include <stdlib.h>

void *work(void *argument) {
    int *box = malloc(sizeof *box);
    *box = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
