//! locks: false
//! deadlock: true
//! A mutex is unlocked that nobody has, if the number is right.
// Witness for locks: 7
#include <pthread.h>
int __VERIFIER_nondet_int(void);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    if (__VERIFIER_nondet_int() != 7)
        pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
