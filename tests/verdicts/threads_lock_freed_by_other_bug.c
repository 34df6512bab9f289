//! unreach-call: false
//! locks: false
//! Somebody who has not got the mutex unlocks it, and lets another thread into the critical section.
#include <pthread.h>
void reach_error(void);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int inside;

void *work(void *argument) {
    pthread_mutex_lock(&mutex);
    inside++;
    if (inside != 1)
        reach_error();
    inside--;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    pthread_mutex_unlock(&mutex);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
