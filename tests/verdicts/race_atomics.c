//! no-data-race: true
//! Atomic accesses of either kind do not race with each other.
#include <pthread.h>

int x, y;

void *one(void *argument) {
    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
    __sync_fetch_and_add(&y, 1);
    return 0;
}

void *two(void *argument) {
    int expected = 0;
    __atomic_compare_exchange_n(&x, &expected, 5, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    int seen = __atomic_load_n(&y, __ATOMIC_ACQUIRE);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
