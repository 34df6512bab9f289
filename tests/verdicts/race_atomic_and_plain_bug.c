//! no-data-race: false
//! An atomic access races with one that is not.
#include <pthread.h>

int x;

void *one(void *argument) {
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
    return 0;
}

void *two(void *argument) {
    int seen = x;
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
