//! unreach-call: true
//! deadlock: true
//! A barrier, a read-write lock and a semaphore order what two threads do.
#include <pthread.h>
#include <semaphore.h>
void reach_error(void);

pthread_barrier_t barrier;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
sem_t ready;
int before, left, right, sent;

void *work(void *argument) {
    before = 1;
    pthread_barrier_wait(&barrier);
    pthread_rwlock_wrlock(&lock);
    left = 1;
    right = 1;
    pthread_rwlock_unlock(&lock);
    sent = 9;
    sem_post(&ready);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 2);
    sem_init(&ready, 0, 0);
    pthread_create(&thread, 0, work, 0);
    pthread_barrier_wait(&barrier);
    if (!before)
        reach_error();
    pthread_rwlock_rdlock(&lock);
    if (left != right)
        reach_error();
    pthread_rwlock_unlock(&lock);
    sem_wait(&ready);
    if (sent != 9)
        reach_error();
    pthread_join(thread, 0);
    return 0;
}
