//! unreach-call: true
//! flags: --memory-model tso
//! Store buffering with fences, a store is seen before the load behind it is done.
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void);

atomic_int x, y;
int seen_left, seen_right;

void *left(void *argument) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    seen_left = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}

void *right(void *argument) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
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
