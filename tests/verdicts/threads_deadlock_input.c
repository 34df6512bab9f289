//! deadlock: false
//! unreach-call: true
//! Only for one value of the input the two threads take the locks in opposite order.
#include <pthread.h>
int __VERIFIER_nondet_int(void);
pthread_mutex_t locks[4];
int start;

void *take(void *argument) {
    if (start < 0 || start > 3)
        return 0;
    pthread_mutex_lock(&locks[start]);
    pthread_mutex_lock(&locks[3 - start]);
    pthread_mutex_unlock(&locks[3 - start]);
    pthread_mutex_unlock(&locks[start]);
    return 0;
}

int main(void) {
    for (int i = 0; i < 4; i++)
        pthread_mutex_init(&locks[i], 0);
    start = __VERIFIER_nondet_int();
    pthread_t thread;
    pthread_create(&thread, 0, take, 0);
    pthread_mutex_lock(&locks[0]);
    pthread_mutex_lock(&locks[3]);
    pthread_mutex_unlock(&locks[3]);
    pthread_mutex_unlock(&locks[0]);
    pthread_join(thread, 0);
    return 0;
}
