//! termination: true
//! unreach-call: true
//! Threads with loops that end, which take turns at a mutex and at an atomic counter.
#include <pthread.h>
void reach_error(void);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int count;

void *work(void *argument) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&mutex);
        count++;
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    if (count != 6)
        reach_error();
    return 0;
}
