//! unreach-call: false
// The same after a mutex was held: nobody has to wait for the next time that the maker holds it.
#include <pthread.h>
extern void reach_error(void);
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int stage;
void *other(void *p) {
    pthread_mutex_lock(&mutex);
    int seen = stage;
    pthread_mutex_unlock(&mutex);
    if (seen == 1)
        reach_error();
    return 0;
}
void *idle(void *p) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, idle, 0);
    pthread_mutex_lock(&mutex);
    stage = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(one, 0);
    pthread_create(&two, 0, other, 0);
    pthread_mutex_lock(&mutex);
    stage = 2;
    pthread_mutex_unlock(&mutex);
    pthread_join(two, 0);
    return 0;
}
