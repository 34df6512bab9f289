//! no-data-race: true
//! Each phase reads what the other thread wrote in the phase before.
#include <pthread.h>

int x[2];
pthread_barrier_t barrier;

void *one(void *argument) {
    x[0] = 1;
    pthread_barrier_wait(&barrier);
    int seen = x[1];
    return 0;
}

void *two(void *argument) {
    x[1] = 1;
    pthread_barrier_wait(&barrier);
    int seen = x[0];
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
