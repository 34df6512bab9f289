//! unreach-call: false
//! A look at the mutex that does not wait sees that a thread is in its critical section.
#include <pthread.h>
void reach_error(void);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int value;

void *work(void *argument) {
    pthread_mutex_lock(&mutex);
    value = 1;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    if (pthread_mutex_trylock(&mutex) != 0)
        reach_error();
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
