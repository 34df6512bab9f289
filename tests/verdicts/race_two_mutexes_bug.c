//! no-data-race: false
//! Each thread takes a mutex, but not the same one.
#include <pthread.h>

int x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

void *one(void *argument) {
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
    return 0;
}

void *two(void *argument) {
    pthread_mutex_lock(&other);
    x++;
    pthread_mutex_unlock(&other);
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
