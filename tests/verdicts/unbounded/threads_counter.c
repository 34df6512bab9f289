//! unreach-call: true
// Any number of threads: behind its own step a thread finds the counter higher than before, whatever the others add.
#include <pthread.h>

void reach_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

unsigned counter;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *run(void *unused) {
    pthread_mutex_lock(&mutex);
    unsigned before = counter;
    if (before == 0xffffffff) {
        pthread_mutex_unlock(&mutex);
        return 0;
    }
    counter = before + 1;
    pthread_mutex_unlock(&mutex);
    if (counter <= before)
        reach_error();
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, run, 0);
}
