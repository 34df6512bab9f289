//! unreach-call: true
//! termination: true
// As glibc has it, a thread that has the lock for writing is told so.
#include <errno.h>
#include <pthread.h>
extern void reach_error(void);
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int main(void) {
    pthread_rwlock_wrlock(&lock);
    if (pthread_rwlock_rdlock(&lock) != EDEADLK || pthread_rwlock_wrlock(&lock) != EDEADLK)
        reach_error();
    pthread_rwlock_unlock(&lock);
    return 0;
}
