//! no-data-race: true
//! A spin lock made of __sync operations.
#include <pthread.h>

int x;
int lock;

void *one(void *argument) {
    while (__sync_lock_test_and_set(&lock, 1)) {
    }
    x++;
    __sync_lock_release(&lock);
    return 0;
}

void *two(void *argument) {
    while (__sync_lock_test_and_set(&lock, 1)) {
    }
    x++;
    __sync_lock_release(&lock);
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
