//! no-data-race: true
//! A spin lock orders the accesses.
#include <pthread.h>

int x;
pthread_spinlock_t lock;

void *one(void *argument) {
    pthread_spin_lock(&lock);
    x++;
    pthread_spin_unlock(&lock);
    return 0;
}

void *two(void *argument) {
    pthread_spin_lock(&lock);
    x++;
    pthread_spin_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_spin_init(&lock, 0);
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
