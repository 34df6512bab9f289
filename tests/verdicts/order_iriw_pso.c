//! unreach-call: true
//! flags: --memory-model pso
//! Two readers see two stores of others in one order, what has left a buffer is seen by all.
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void);

atomic_int x, y;
int a, b, c, d;

void *left(void *argument) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

void *right(void *argument) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

void *first(void *argument) {
    a = atomic_load_explicit(&x, memory_order_relaxed);
    b = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}

void *second(void *argument) {
    c = atomic_load_explicit(&y, memory_order_relaxed);
    d = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t threads[4];
    pthread_create(&threads[0], 0, left, 0);
    pthread_create(&threads[1], 0, right, 0);
    pthread_create(&threads[2], 0, first, 0);
    pthread_create(&threads[3], 0, second, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    if (a == 1 && b == 0 && c == 1 && d == 0)
        reach_error();
    return 0;
}
