//! unreach-call: true
//! flags: --memory-model pso
//! Stores to one location are seen in their order.
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void);

atomic_int x;
int first, second;

void *left(void *argument) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return 0;
}

void *right(void *argument) {
    first = atomic_load_explicit(&x, memory_order_relaxed);
    second = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, left, 0);
    pthread_create(&two, 0, right, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    if (first == 2 && second == 1)
        reach_error();
    return 0;
}
