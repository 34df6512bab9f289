//! no-data-race: false
//! Two that have the lock for reading only, and write.
#include <pthread.h>

int x;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *one(void *argument) {
    pthread_rwlock_rdlock(&lock);
    x++;
    pthread_rwlock_unlock(&lock);
    return 0;
}

void *two(void *argument) {
    pthread_rwlock_rdlock(&lock);
    x++;
    pthread_rwlock_unlock(&lock);
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
