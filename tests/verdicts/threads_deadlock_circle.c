//! deadlock: false
//! Three philosophers who take the left fork first may all hold one and wait for the other.
#include <pthread.h>
enum { N = 3 };
pthread_mutex_t forks[N];

void *eat(void *argument) {
    int left = (int)(long)argument, right = (left + 1) % N;
    int first = left, second = right;
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], 0);
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, eat, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    return 0;
}
