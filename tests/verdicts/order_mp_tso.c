//! unreach-call: true
//! flags: --memory-model tso
//! Message passing, the stores of a thread are seen in their order.
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void);

atomic_int data, flag;
int seen_flag, seen_data;

void *left(void *argument) {
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return 0;
}

void *right(void *argument) {
    seen_flag = atomic_load_explicit(&flag, memory_order_relaxed);
    seen_data = atomic_load_explicit(&data, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, left, 0);
    pthread_create(&two, 0, right, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    if (seen_flag == 1 && seen_data == 0)
        reach_error();
    return 0;
}
