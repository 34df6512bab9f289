//! unreach-call: true
// Which kinds there are, and which of them knows its owner.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
extern void reach_error(void);
int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutex_t mutex;
    int kind;
    pthread_mutexattr_init(&attributes);
    if (pthread_mutexattr_settype(&attributes, 77) != EINVAL)
        reach_error();
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutexattr_gettype(&attributes, &kind);
    if (kind != PTHREAD_MUTEX_ADAPTIVE_NP)
        reach_error();
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutex_lock(&mutex);
    if (pthread_mutex_trylock(&mutex) != EBUSY)
        reach_error();
    pthread_mutex_lock(&mutex);
    reach_error();
    return 0;
}
