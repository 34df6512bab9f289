//! no-data-race: true
//! A value is handed over with a semaphore.
#include <pthread.h>
#include <semaphore.h>

int x;
sem_t full;

void *one(void *argument) {
    x = 1;
    sem_post(&full);
    return 0;
}

void *two(void *argument) {
    sem_wait(&full);
    int seen = x;
    return 0;
}

int main(void) {
    pthread_t first, second;
    sem_init(&full, 0, 0);
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
