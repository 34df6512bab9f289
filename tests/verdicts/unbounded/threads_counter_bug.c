//! unreach-call: false
// The lock is given back too early: two threads may write the same number.
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
    pthread_mutex_unlock(&mutex);
    counter = before + 1;
    if (counter != before + 1)
        reach_error();
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, run, 0);
}
