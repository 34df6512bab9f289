//! unreach-call: true
// Who looks again after it woke finds what it waited for.
#include <pthread.h>
extern void reach_error(void);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items;
static void *consume(void *unused) {
    pthread_mutex_lock(&mutex);
    while (items == 0)
        pthread_cond_wait(&changed, &mutex);
    if (items == 0)
        reach_error();
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void) {
    pthread_t consumer;
    pthread_create(&consumer, 0, consume, 0);
    pthread_mutex_lock(&mutex);
    items = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(consumer, 0);
    return 0;
}
