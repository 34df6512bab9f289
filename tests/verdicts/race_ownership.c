//! no-data-race: true
//! The mutex protects who owns the object, not the object itself.
#include <pthread.h>

int x;
int *shared = &x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *one(void *argument) {
    pthread_mutex_lock(&mutex);
    int *mine = shared;
    shared = 0;
    pthread_mutex_unlock(&mutex);
    if (mine)
        *mine = 1;
    return 0;
}

void *two(void *argument) {
    pthread_mutex_lock(&mutex);
    int *mine = shared;
    shared = 0;
    pthread_mutex_unlock(&mutex);
    if (mine)
        *mine = 1;
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
