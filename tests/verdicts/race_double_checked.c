//! no-data-race: true
//! Double-checked locking with an atomic flag.
#include <pthread.h>
#include <stdatomic.h>

atomic_int made;
int value;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int get(void) {
    if (!made) {
        pthread_mutex_lock(&mutex);
        if (!made) {
            value = 1;
            made = 1;
        }
        pthread_mutex_unlock(&mutex);
    }
    return value;
}

void *one(void *argument) {
    get();
    return 0;
}

void *two(void *argument) {
    get();
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
