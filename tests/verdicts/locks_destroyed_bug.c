//! locks: false
//! A thread takes a mutex that may have been destroyed.
#include <pthread.h>

pthread_mutex_t mutex;

void *work(void *argument) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_init(&mutex, 0);
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_destroy(&mutex);
    pthread_join(thread, 0);
    return 0;
}
