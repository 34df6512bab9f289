//! unreach-call: false
// A signal may come in time.
#include <pthread.h>
#include <time.h>
extern void reach_error(void);
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
void *work(void *p) {
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return 0;
}
int main(void) {
    pthread_t t;
    struct timespec until = {2000000000, 0};
    pthread_mutex_lock(&mutex);
    pthread_create(&t, 0, work, 0);
    if (pthread_cond_timedwait(&condition, &mutex, &until) == 0)
        reach_error();
    pthread_mutex_unlock(&mutex);
    pthread_join(t, 0);
    return 0;
}
