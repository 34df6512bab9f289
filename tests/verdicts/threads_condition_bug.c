//! unreach-call: false
//! deadlock: false
//! Two consumers and a broadcast; the second one takes an item that is gone, because it doesn't look again.
#include <pthread.h>
void reach_error(void);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
int items;

void *consume(void *argument) {
    pthread_mutex_lock(&mutex);
    if (items == 0)
        pthread_cond_wait(&filled, &mutex);
    items--;
    if (items < 0)
        reach_error();
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, consume, 0);
    pthread_create(&second, 0, consume, 0);
    pthread_mutex_lock(&mutex);
    items = 1;
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&mutex);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
