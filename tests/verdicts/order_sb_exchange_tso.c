//! unreach-call: true
//! flags: --memory-model tso
//! Store buffering where the stores are exchanges, which empty the buffer.
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void);

atomic_int x, y;
int seen_left, seen_right;

void *left(void *argument) {
    atomic_exchange_explicit(&x, 1, memory_order_relaxed);
    seen_left = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}

void *right(void *argument) {
    atomic_exchange_explicit(&y, 1, memory_order_relaxed);
    seen_right = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, left, 0);
    pthread_create(&two, 0, right, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    if (seen_left == 0 && seen_right == 0)
        reach_error();
    return 0;
}
