//! termination: false
// Main waits for a thread that waits for a mutex that main holds.
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
void *work(void *p) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_mutex_lock(&mutex);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    pthread_mutex_unlock(&mutex);
    return 0;
}
