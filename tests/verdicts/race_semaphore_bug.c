//! no-data-race: false
//! The semaphore is posted too early.
#include <pthread.h>
#include <semaphore.h>

int x;
sem_t full;

void *one(void *argument) {
    sem_post(&full);
    x = 1;
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
