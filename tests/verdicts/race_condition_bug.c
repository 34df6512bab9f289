//! no-data-race: false
//! The flag of a condition variable is set without its mutex.
#include <pthread.h>

int x, ready;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void *one(void *argument) {
    x = 1;
    ready = 1;
    pthread_cond_signal(&changed);
    return 0;
}

void *two(void *argument) {
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    int seen = x;
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
