//! deadlock: false
//! unreach-call: true
//! A thread alone that takes a lock twice waits for itself.
#include <pthread.h>
int __VERIFIER_nondet_int(void);
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&mutex);
    if (__VERIFIER_nondet_int() == 4711)
        pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
