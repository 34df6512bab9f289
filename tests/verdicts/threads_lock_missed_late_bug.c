//! unreach-call: false
//! no-data-race: false
//! Only one access is without the lock, and only in the middle of the critical section does it show.
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int value;
atomic_int begun;

void *work(void *argument) {
    pthread_mutex_lock(&mutex);
    value = 1;
    begun = 1;
    value = 2;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    if (begun && value == 1)
        reach_error();
    pthread_join(thread, 0);
    return 0;
}
