//! unreach-call: true
//! deadlock: true
//! A consumer waits for a condition that the producer signals under the mutex.
#include <pthread.h>
void reach_error(void);

pthread_mutex_t mutex;
pthread_cond_t filled;
int full, item;

void *produce(void *argument) {
    pthread_mutex_lock(&mutex);
    item = 42;
    full = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t producer;
    pthread_mutex_init(&mutex, 0);
    pthread_cond_init(&filled, 0);
    pthread_create(&producer, 0, produce, 0);
    pthread_mutex_lock(&mutex);
    while (!full)
        pthread_cond_wait(&filled, &mutex);
    if (item != 42)
        reach_error();
    pthread_mutex_unlock(&mutex);
    pthread_join(producer, 0);
    return 0;
}
