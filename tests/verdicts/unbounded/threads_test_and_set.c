//! unreach-call: true
// A lock of the program's own: who finds zero there has it.
#include <pthread.h>

void reach_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

int lock, inside;

static int test_and_set(void) {
    __VERIFIER_atomic_begin();
    int old = lock;
    lock = 1;
    __VERIFIER_atomic_end();
    return old;
}

void *run(void *unused) {
    while (test_and_set())
        ;
    inside = inside + 1;
    if (inside != 1)
        reach_error();
    inside = inside - 1;
    lock = 0;
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, run, 0);
}
