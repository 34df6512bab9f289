//! no-data-race: false
//! What is read before the barrier is written there by the other.
#include <pthread.h>

int x[2];
pthread_barrier_t barrier;

void *one(void *argument) {
    x[0] = 1;
    pthread_barrier_wait(&barrier);
    return 0;
}

void *two(void *argument) {
    int seen = x[0];
    pthread_barrier_wait(&barrier);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
