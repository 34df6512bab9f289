//! locks: true
//! deadlock: true
//! unreach-call: true
//! termination: true
//! Locks of all kinds are taken and given back by their threads, destroyed when nobody has them, and made again.
#include <errno.h>
#include <pthread.h>
void reach_error(void);

pthread_mutex_t mutex, checked;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spin;
int count;

void *work(void *argument) {
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    if (pthread_mutex_unlock(&checked) != EPERM)
        reach_error();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checked, &kind);
    pthread_mutex_init(&mutex, 0);
    pthread_mutex_lock(&checked);
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    pthread_mutex_destroy(&mutex);
    pthread_mutex_init(&mutex, 0);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_destroy(&lock);
    pthread_spin_init(&spin, 0);
    pthread_spin_lock(&spin);
    pthread_spin_unlock(&spin);
    if (count != 2)
        reach_error();
    return 0;
}
