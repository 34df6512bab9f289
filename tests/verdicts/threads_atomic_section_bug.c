//! unreach-call: false
//! The reader's two reads are no atomic section, so the writer's may come in between.
#include <pthread.h>
void reach_error(void);

int left, right;

void __VERIFIER_atomic_step(void) {
    left++;
    right++;
}

void *change(void *argument) {
    __VERIFIER_atomic_step();
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, change, 0);
    if (left != right)
        reach_error();
    return 0;
}
