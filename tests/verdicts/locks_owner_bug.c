//! locks: false
//! unreach-call: true
//! no-data-race: true
//! A mutex is unlocked by a thread that does not have it.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *work(void *argument) {
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
