//! termination: true
// A recursive mutex can be locked again, and one that checks for errors says so.
#include <pthread.h>
int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutex_t again, checked;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&again, &attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checked, &attributes);
    pthread_mutex_lock(&again);
    pthread_mutex_lock(&again);
    pthread_mutex_lock(&checked);
    return pthread_mutex_lock(&checked) == 0;
}
