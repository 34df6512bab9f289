//! unreach-call: true
//! flags: --memory-model tso
//! Two stores each, in opposite orders, the last ones can not both come first.
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void);

atomic_int x, y;

void *left(void *argument) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 2, memory_order_relaxed);
    return 0;
}

void *right(void *argument) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, left, 0);
    pthread_create(&two, 0, right, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    if (x == 1 && y == 1)
        reach_error();
    return 0;
}
