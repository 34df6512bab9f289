//! deadlock: false
//! valid-memsafety: true
//! The signal may come before anybody waits for it, and then nobody wakes the main thread.
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void *signal_once(void *argument) {
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, signal_once, 0);
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
