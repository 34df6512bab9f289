//! unreach-call: true
//! Atomic additions and compare-and-exchange loops lose nothing.
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void);

atomic_int sum;

void *add(void *argument) {
    atomic_fetch_add(&sum, 1);
    int seen = atomic_load(&sum);
    while (!atomic_compare_exchange_strong(&sum, &seen, seen + 2))
        ;
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, add, 0);
    pthread_create(&second, 0, add, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    if (sum != 6)
        reach_error();
    return 0;
}
