//! no-data-race: true
//! Only one of the two ever gets there, whoever it is.
#include <pthread.h>
#include <stdatomic.h>

int x;
atomic_int tickets;

void *one(void *argument) {
    if (atomic_fetch_add(&tickets, 1) == 0)
        x = 1;
    return 0;
}

void *two(void *argument) {
    if (atomic_fetch_add(&tickets, 1) == 0)
        x = 1;
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
