//! unreach-call: false
// A thread that waits for ever has written before.
#include <pthread.h>

void reach_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

int flag;

void *run(void *unused) {
    flag = 1;
    __VERIFIER_assume(0);
    return 0;
}

void *other(void *unused) {
    if (flag == 1)
        reach_error();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_create(&t, 0, other, 0);
    pthread_join(t, 0);
}
