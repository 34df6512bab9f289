//! unreach-call: true
//! deadlock: true
//! Nobody sees the two variables between the assignments of an atomic section or function.
#include <pthread.h>
void reach_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int left, right;

void __VERIFIER_atomic_step(void) {
    left++;
    right++;
}

void *change(void *argument) {
    __VERIFIER_atomic_begin();
    left++;
    right++;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_step();
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, change, 0);
    __VERIFIER_atomic_begin();
    int difference = left - right;
    __VERIFIER_atomic_end();
    if (difference != 0)
        reach_error();
    return 0;
}
