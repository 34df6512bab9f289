//! unreach-call: false
//! The bytes of a mutex are overwritten while a thread has it.
#include <pthread.h>
#include <string.h>
void reach_error(void);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int value;

void *work(void *argument) {
    pthread_mutex_lock(&mutex);
    value = 1;
    value = 0;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    memset(&mutex, 0, sizeof mutex);
    pthread_mutex_lock(&mutex);
    if (value == 1)
        reach_error();
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
