//! unreach-call: false
//! The program ends, with a handler, while a thread is in its critical section.
#include <pthread.h>
#include <stdlib.h>
void reach_error(void);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int value;

void look(void) {
    if (value == 1)
        reach_error();
}

void *work(void *argument) {
    pthread_mutex_lock(&mutex);
    value = 1;
    value = 2;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    atexit(look);
    pthread_create(&thread, 0, work, 0);
    return 0;
}
