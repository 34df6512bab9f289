//! unreach-call: true
//! termination: true
// Who waits until a certain time does not wait for ever.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
extern void reach_error(void);
int main(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    sem_t semaphore;
    struct timespec until = {0, 0};
    sem_init(&semaphore, 0, 0);
    pthread_mutex_lock(&mutex);
    pthread_rwlock_rdlock(&lock);
    if (pthread_cond_timedwait(&condition, &mutex, &until) != ETIMEDOUT)
        reach_error();
    if (pthread_mutex_timedlock(&mutex, &until) != ETIMEDOUT)
        reach_error();
    if (pthread_rwlock_timedwrlock(&lock, &until) != ETIMEDOUT)
        reach_error();
    if (sem_timedwait(&semaphore, &until) != -1 || errno != ETIMEDOUT)
        reach_error();
    return 0;
}
